//! What learners have: who shows the token of a profile may read and change it. No account, no password.

use rusqlite::Connection;

use crate::error::ApiError;
use crate::profile_tables::{self, ListedProfile, ProfileError, ProfileId, Room};
use crate::store::Store;
use crate::time::now;
use crate::token::Token;

/// Every profile there is.
#[derive(Clone)]
pub(crate) struct Profiles {
    store: Store,
    pub(crate) room: Room,
}

impl Profiles {
    pub(crate) fn new(store: Store, room: Room) -> Profiles {
        Profiles { store, room }
    }

    /// A new profile with something done to it at once: all of it is on disk when this returns, or nothing.
    pub(crate) async fn create<T: Send + 'static>(
        &self,
        token: Token,
        name: String,
        work: impl FnOnce(&Connection, ProfileId) -> Result<T, ProfileError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let room = self.room;
        let create = move |connection: &Connection| {
            let profile = profile_tables::create(connection, token, &name, now(), room)?;
            work(connection, profile)
        };
        Ok(self.store.profiles(create).await?)
    }

    /// Does something with the profile of this token: all of it is on disk when this returns, or, if it is an error,
    /// nothing. The functions of [`profile_tables`] are the steps.
    pub(crate) async fn of<T: Send + 'static>(
        &self,
        token: Option<Token>,
        work: impl FnOnce(&Connection, ProfileId) -> Result<T, ProfileError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let token = token.ok_or(ProfileError::UnknownProfile)?;
        let found = move |connection: &Connection| work(connection, profile_tables::find(connection, token)?);
        Ok(self.store.profiles(found).await?)
    }

    /// Does something in the tables that is of no profile.
    pub(crate) async fn tables<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, ProfileError> + Send + 'static,
    ) -> Result<T, ApiError> {
        Ok(self.store.profiles(work).await?)
    }

    /// Every profile, for those who share a machine.
    pub(crate) async fn all(&self) -> Result<Vec<ListedProfile>, ApiError> {
        Ok(self.store.profiles(|connection| profile_tables::all(connection, now())).await?)
    }
}
