//! What an API needs: Kafka's operations, by the kind of resource that they are asked for.

/// The operation on the resource that a request names. What a request names (topics, a group) is read by its handler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Permission {
    /// None: anybody may ask (ApiVersions), or each answer shows only what may be seen.
    Open,
    /// WRITE on each topic, IDEMPOTENT_WRITE on the cluster for producers that ask for it.
    TopicWrite,
    /// READ on each topic.
    TopicRead,
    /// DESCRIBE on each topic.
    TopicDescribe,
    /// CREATE on each topic or on the cluster.
    TopicCreate,
    /// DELETE on each topic.
    TopicDelete,
    /// ALTER on each topic.
    TopicAlter,
    /// READ on the group, and on each topic that is named beside it.
    GroupRead,
    /// DESCRIBE on each group.
    GroupDescribe,
    /// DELETE on each group.
    GroupDelete,
    /// DESCRIBE on the cluster.
    ClusterDescribe,
    /// ALTER on the cluster.
    ClusterAlter,
    /// DESCRIBE_CONFIGS on the cluster.
    ClusterDescribeConfigs,
    /// ALTER_CONFIGS on the cluster.
    ClusterAlterConfigs,
    /// DESCRIBE_CONFIGS on each resource.
    DescribeConfigs,
    /// ALTER_CONFIGS on each resource.
    AlterConfigs,
}

/// Which quota a request is counted under.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuotaClass {
    /// Request time alone.
    Request,
    /// producer_byte_rate, beside request time.
    Produce,
    /// consumer_byte_rate, beside request time.
    Fetch,
    /// controller_mutation_rate, beside request time.
    Mutation,
    /// Never throttled.
    Exempt,
}
