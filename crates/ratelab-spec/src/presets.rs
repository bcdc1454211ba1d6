//! Named retry policies: data, so that a new one is a table in `presets.toml` and no code.

use std::sync::OnceLock;

use toml::de::{DeTable, DeValue};

use crate::tree::{Table, get};

fn all() -> &'static Table<'static> {
    static ALL: OnceLock<Table<'static>> = OnceLock::new();
    ALL.get_or_init(|| {
        let parsed = DeTable::parse(include_str!("presets.toml"));
        parsed.expect("presets.toml is TOML").into_inner()
    })
}

/// The names of all presets.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    all().iter().map(|(name, _)| name.get_ref().as_ref())
}

/// The table that a name stands for.
pub(crate) fn find(name: &str) -> Option<&'static DeValue<'static>> {
    get(all(), name).map(|(_, value)| value.get_ref())
}

#[cfg(test)]
mod tests {
    use crate::{Overrides, parse};

    #[test]
    fn every_preset_is_valid() {
        for name in super::names() {
            let file = format!(
                "question = \"q\"\nduration = \"10s\"\nretry = \"{name}\"\n[fleet]\nworkers = 4\n"
            );
            let read = parse("mine.toml", &file, &Overrides::default());
            assert!(read.is_ok(), "{name}: {read:?}");
        }
    }
}
