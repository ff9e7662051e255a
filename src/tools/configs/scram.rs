//! SCRAM credentials of users: shown and removed. Setting one is refused: this tool has no hash functions yet.

use super::changes::Changes;
use crate::protocol::ErrorCode;
use crate::protocol::messages::alter_user_scram_credentials::ScramCredentialDeletion;
use crate::protocol::messages::describe_user_scram_credentials::UserName;
use crate::protocol::messages::{
    AlterUserScramCredentialsRequest, AlterUserScramCredentialsResponse, DescribeUserScramCredentialsRequest,
    DescribeUserScramCredentialsResponse,
};
use crate::tools::admin::Failure;
use crate::tools::client::{Client, ClientError};
use crate::tools::output::say;

/// Names of the mechanisms with the protocol's numbers.
const MECHANISMS: &[(&str, i8)] = &[("SCRAM-SHA-256", 1), ("SCRAM-SHA-512", 2)];

/// Whether a config is a credential.
pub(super) fn is_mechanism(name: &str) -> bool {
    MECHANISMS.iter().any(|(known, _)| *known == name)
}

/// Shows the credentials of these users, of all if there is none.
pub(super) fn describe(client: &mut Client, users: &[String]) -> Result<(), Failure> {
    let named: Vec<UserName<'_>> = users.iter().map(|name| UserName { name }).collect();
    let request =
        DescribeUserScramCredentialsRequest { users: Some(named).filter(|users| !users.is_empty()) };
    let lines = client.retry(|client| {
        let answer = client.call(&request)?;
        let response = answer.decode::<DescribeUserScramCredentialsResponse<'_>>()?;
        ClientError::check(response.error_code, response.error_message)?;
        let mut lines = Vec::new();
        for result in &response.results {
            let user = result.user;
            match ClientError::check(result.error_code, result.error_message) {
                Ok(()) => {
                    let infos: Vec<String> = result
                        .credential_infos
                        .iter()
                        .map(|info| {
                            let known = MECHANISMS.iter().find(|(_, number)| *number == info.mechanism);
                            let name = known.map_or("UNKNOWN", |(name, _)| *name);
                            format!("{name}=iterations={}", info.iterations)
                        })
                        .collect();
                    lines.push(format!(
                        "SCRAM credential configs for user-principal '{user}' are {}",
                        infos.join(", ")
                    ));
                }
                // A user without credentials is none of interest.
                Err(error) if error.code() == Some(ErrorCode::RESOURCE_NOT_FOUND) => {}
                Err(error) => lines.push(format!(
                    "Error retrieving SCRAM credential configs for user-principal '{user}': ExecutionException: {}",
                    error.with_java_name()
                )),
            }
        }
        Ok(lines)
    })?;
    lines.iter().for_each(|line| say!("{line}"));
    Ok(())
}

/// Removes credentials of a user.
pub(super) fn alter(client: &mut Client, user: &str, changes: &Changes) -> Result<(), Failure> {
    if let Some(mechanism) = changes.add.keys().next() {
        return Err(Failure::Plain(format!("Setting {mechanism} is not served by millrace's tools yet")));
    }
    let deletions = MECHANISMS
        .iter()
        .filter(|(name, _)| changes.delete.iter().any(|deleted| deleted == name))
        .map(|(_, mechanism)| ScramCredentialDeletion { name: user, mechanism: *mechanism });
    let request = AlterUserScramCredentialsRequest { deletions: deletions.collect(), upsertions: Vec::new() };
    client.retry(|client| {
        let answer = client.call(&request)?;
        let response = answer.decode::<AlterUserScramCredentialsResponse<'_>>()?;
        response
            .results
            .iter()
            .try_for_each(|result| ClientError::check(result.error_code, result.error_message))
    })?;
    Ok(())
}
