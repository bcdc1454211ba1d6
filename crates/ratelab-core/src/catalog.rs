//! The catalog: an open set of named things, one file and one line each.
//!
//! `catalog!` is the only macro of the workspace. From a list of modules it makes the enum that an
//! experiment file is read into (externally tagged, so that errors keep their place), the list that
//! `ratelab list` and did-you-mean read, and the way to the one trait that all entries share:
//!
//! ```text
//! catalog! {
//!     /// Which limiter.
//!     pub enum LimiterParams as dyn LimiterRole {
//!         token_bucket: TokenBucket,      // token_bucket.rs, written `token-bucket` in files
//!     }
//! }
//! // becomes
//! pub mod token_bucket;
//! pub enum LimiterParams { TokenBucket(token_bucket::Params) }
//! impl LimiterParams {
//!     pub const ENTRIES: &[Entry] =
//!         &[Entry { module: "token_bucket", about: &token_bucket::ABOUT }];
//!     pub fn role(&self) -> &dyn LimiterRole { match self { Self::TokenBucket(p) => p } }
//! }
//! ```
//!
//! Each module has `pub const ABOUT: About` and `pub struct Params`, and implements the role.

/// What `ratelab explain` says of an entry.
#[derive(Debug, Clone, Copy)]
pub struct About {
    /// One line for lists.
    pub summary: &'static str,
    /// How it decides, its laws and its traps.
    pub text: &'static str,
    /// Where the rule comes from: article section, RFC, paper, library and version.
    pub source: &'static str,
    /// A line of an experiment file that uses it.
    pub example: &'static str,
}

/// One entry of a catalog.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    /// The module's name, snake case.
    pub module: &'static str,
    /// What it is.
    pub about: &'static About,
}

impl Entry {
    /// The name in experiment files, kebab case.
    pub fn name(&self) -> String {
        self.module.replace('_', "-")
    }
}

/// Makes a catalog from a list of modules; see the module's documentation.
#[macro_export]
macro_rules! catalog {
    ($(#[$meta:meta])* pub enum $Params:ident as dyn $Role:ident {
        $($module:ident: $Variant:ident,)+
    }) => {
        $(pub mod $module;)+

        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq)]
        #[derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
        #[serde(rename_all = "kebab-case")]
        pub enum $Params {
            $(
                #[doc = concat!("See [`", stringify!($module), "`].")]
                $Variant($module::Params),
            )+
        }

        impl $Params {
            /// Every entry, in the order of the catalog.
            pub const ENTRIES: &'static [$crate::catalog::Entry] = &[
                $($crate::catalog::Entry {
                    module: stringify!($module),
                    about: &$module::ABOUT,
                },)+
            ];

            /// The parameters as what they are for.
            pub fn role(&self) -> &dyn $Role {
                match self {
                    $(Self::$Variant(params) => params,)+
                }
            }

            /// The entry's name in experiment files.
            pub fn name(&self) -> String {
                let module = match self {
                    $(Self::$Variant(_) => stringify!($module),)+
                };
                module.replace('_', "-")
            }
        }
    };
}
