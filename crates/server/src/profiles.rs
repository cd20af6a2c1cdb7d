//! What learners have: who shows the token of a profile may read and change it. No account, no password.

use emilia_service::learner::{LearnerError, ListedProfile};
use rusqlite::Connection;

use crate::error::ApiError;
use crate::profile_tables::{self, ProfileError, ProfileTables, Room};
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
        work: impl FnOnce(&mut ProfileTables<'_>) -> Result<T, ProfileError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let room = self.room;
        let create = move |connection: &Connection| {
            work(&mut ProfileTables::create(connection, token, &name, now(), room)?)
        };
        Ok(self.store.profiles(create).await?)
    }

    /// Does something with the profile of this token: all of it is on disk when this returns, or, if it is an error,
    /// nothing.
    pub(crate) async fn of<T: Send + 'static>(
        &self,
        token: Option<Token>,
        work: impl FnOnce(&mut ProfileTables<'_>) -> Result<T, ProfileError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let token = token.ok_or(ProfileError::from(LearnerError::UnknownProfile))?;
        let room = self.room;
        let found = move |connection: &Connection| work(&mut ProfileTables::find(connection, token, room)?);
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
