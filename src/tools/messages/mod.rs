//! Messages that only tools send so far: no broker of ours serves them, so they are not among those of
//! `protocol::messages`.
//!
//! Generated like those, by `src/protocol/generate.py` (`module` of it, with these APIs); when a broker serves one, it
//! goes into that list and leaves here.

pub mod alter_client_quotas;
pub mod alter_user_scram_credentials;
pub mod describe_client_quotas;
pub mod describe_user_scram_credentials;
pub mod list_config_resources;
pub mod update_features;

pub use alter_client_quotas::{AlterClientQuotasRequest, AlterClientQuotasResponse};
pub use alter_user_scram_credentials::{AlterUserScramCredentialsRequest, AlterUserScramCredentialsResponse};
pub use describe_client_quotas::{DescribeClientQuotasRequest, DescribeClientQuotasResponse};
pub use describe_user_scram_credentials::{
    DescribeUserScramCredentialsRequest, DescribeUserScramCredentialsResponse,
};
pub use list_config_resources::{ListConfigResourcesRequest, ListConfigResourcesResponse};
pub use update_features::{UpdateFeaturesRequest, UpdateFeaturesResponse};
