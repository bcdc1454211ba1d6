//! The JSON Schema of experiment files: made from the types, plus what the reader adds to them.
//!
//! The reader adds short forms (`limiter = "unlimited"`, `retry = "none"`) and the tables that are
//! worked in before anything is read into types: variants, the sweep, expectations, quotes. A file
//! with variants or a sweep may leave any key of its base to them, so nothing is required of it.

use std::sync::OnceLock;

use serde_json::{Map, Value, json};

use crate::File;
use crate::presets;

/// The tables of a file that are no part of a scenario.
pub(crate) const PARTS: [&str; 4] = ["variant", "sweep", "expect", "article"];
/// What the name of a definition ends with when nothing is required of it.
const LOOSE: &str = "Patch";

/// The schema of one merged case, from which errors are made.
pub(crate) fn strict() -> &'static Value {
    static STRICT: OnceLock<Value> = OnceLock::new();
    STRICT.get_or_init(|| {
        let mut doc = schemars::schema_for!(File).to_value();
        let defs = doc["$defs"].as_object().cloned().unwrap_or_default();
        for name in ["LimiterParams", "ArrivalParams", "BackoffParams"] {
            short_forms(&mut doc["$defs"][name], &defs);
        }
        let retry = json!({
            "description": "What becomes of failed attempts; or the name of a preset.",
            "anyOf": [
                { "$ref": "#/$defs/RetryParams" },
                { "type": "string", "enum": presets::names().collect::<Vec<_>>() },
            ],
            "default": "none",
        });
        doc["properties"]["retry"] = retry;
        // One key a table: the order of several depends on how this crate was built.
        let limiter = json!({ "token-bucket": { "rate": "1/s" } });
        doc["$defs"]["LimiterParams"]["examples"] = json!([limiter]);
        doc["$defs"]["BackoffParams"]["examples"] = json!([{ "fixed": { "wait": "1s" } }]);
        doc["properties"]["question"]["examples"] = json!(["What do four workers send?"]);
        doc["$defs"]["Duration"]["examples"] = json!(["10s", "250ms", "1m30s"]);
        doc["$defs"]["FleetParams"]["properties"]["workers"]["examples"] = json!([4]);
        for name in ["OutageParams", "MeasureParams"] {
            doc["$defs"][name]["properties"]["from"]["examples"] = json!(["0s"]);
        }
        doc
    })
}

/// The whole schema, for editors.
pub(crate) fn public() -> Value {
    let mut doc = strict().clone();
    let tables = parts();
    let mut defs = doc["$defs"].take().as_object().cloned().unwrap_or_default();
    let loose: Vec<(String, Value)> = defs
        .iter()
        .map(|(name, def)| (format!("{name}{LOOSE}"), loosened(def)))
        .collect();
    defs.extend(loose);
    let mut root = loosened(&doc);
    let mut variant = root.clone();
    for key in ["$schema", "title", "$defs"] {
        remove(&mut variant, key);
    }
    variant["description"] = json!("Changes to the base; quoted keys may be dotted paths.");
    defs.insert("Variant".to_owned(), variant);
    for (key, table) in &tables {
        root["properties"][key] = table.clone();
    }
    root["if"] = json!({ "not": { "anyOf": [
        { "required": ["variant"] }, { "required": ["sweep"] },
    ] } });
    root["then"] = json!({ "properties": doc["properties"], "required": doc["required"] });
    root["description"] = json!("An experiment file.");
    root["$defs"] = Value::Object(defs);
    root
}

fn remove(object: &mut Value, key: &str) {
    if let Some(object) = object.as_object_mut() {
        object.remove(key);
    }
}

/// The tables of [`PARTS`], in that order.
fn parts() -> Map<String, Value> {
    let condition = json!({ "type": ["string", "number"] });
    let wanted = json!({ "anyOf": [condition, { "type": "array", "items": condition }] });
    let rows = |about: &str, value: Value| {
        let row = json!({ "type": "object", "additionalProperties": value });
        json!({ "description": about, "type": "object", "additionalProperties": row })
    };
    let tables = [
        json!({
            "description": "Strategies under comparison, each a table of changes.",
            "type": "object",
            "additionalProperties": { "$ref": "#/$defs/Variant" },
        }),
        json!({
            "description": "Keys, as dotted paths, and the values each one takes.",
            "type": "object",
            "additionalProperties": { "type": "array", "minItems": 1 },
        }),
        rows("What metrics of a row must be.", wanted),
        rows("What somebody published of a row.", condition),
    ];
    PARTS.map(str::to_owned).into_iter().zip(tables).collect()
}

/// Allows the bare name of every alternative that needs no parameters.
fn short_forms(choice: &mut Value, defs: &Map<String, Value>) {
    let Some(list) = choice["oneOf"].as_array_mut() else {
        return;
    };
    let bare = |alternative: &Value| {
        let (name, params) = alternative["properties"].as_object()?.iter().next()?;
        let target = params["$ref"].as_str()?.rsplit('/').next()?;
        let free = defs.get(target)?.get("required").is_none();
        free.then(|| json!({ "const": name, "type": "string", "description": "In a word." }))
    };
    let short: Vec<Value> = list.iter().filter_map(bare).collect();
    list.extend(short);
}

/// A schema of which nothing is required, and that refers to such schemas only.
fn loosened(schema: &Value) -> Value {
    match schema {
        Value::Array(items) => items.iter().map(loosened).collect(),
        Value::Object(object) => {
            let tagged = object.get("oneOf").is_some();
            let keep = |key: &String| key != "required" && key != "default";
            let mut copy: Map<String, Value> = object
                .iter()
                .filter(|(key, _)| keep(key))
                .map(|(key, value)| (key.clone(), loosened(value)))
                .collect();
            if let Some(target) = object.get("$ref").and_then(Value::as_str) {
                copy.insert("$ref".to_owned(), json!(format!("{target}{LOOSE}")));
            }
            if tagged && let (Some(new), Some(old)) = (copy.get_mut("oneOf"), object.get("oneOf")) {
                keep_tags(new, old);
            }
            if copy.get("additionalProperties") == Some(&json!(false)) {
                copy.insert("patternProperties".to_owned(), json!({ "\\.": true }));
            }
            copy.into()
        }
        other => other.clone(),
    }
}

/// An alternative is known by its key, so that stays required.
fn keep_tags(new: &mut Value, old: &Value) {
    let both = new.as_array_mut().into_iter().flatten();
    for (new, old) in both.zip(old.as_array().into_iter().flatten()) {
        if let Some(required) = old.get("required") {
            new["required"] = required.clone();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn references(value: &Value, found: &mut Vec<String>) {
        match value {
            Value::Array(items) => items.iter().for_each(|item| references(item, found)),
            Value::Object(object) => {
                found.extend(
                    object
                        .get("$ref")
                        .and_then(Value::as_str)
                        .map(str::to_owned),
                );
                object.values().for_each(|inner| references(inner, found));
            }
            _ => {}
        }
    }

    #[test]
    fn every_reference_leads_somewhere() {
        let doc = public();
        let mut found = Vec::new();
        references(&doc, &mut found);
        assert!(found.len() > 100, "{} references", found.len());
        for target in found {
            let pointer = target.trim_start_matches('#');
            assert!(doc.pointer(pointer).is_some(), "{target}");
        }
    }

    #[test]
    fn every_part_and_short_form_is_known() {
        let doc = public();
        assert!(
            PARTS
                .iter()
                .all(|part| doc["properties"].get(part).is_some())
        );
        let words = |name: &str| {
            let list = doc["$defs"][name]["oneOf"].as_array().into_iter().flatten();
            list.filter_map(|one| one["const"].as_str())
                .collect::<Vec<_>>()
        };
        assert_eq!(words("LimiterParams"), ["unlimited"]);
        assert_eq!(words("LimiterParamsPatch"), ["unlimited"]);
        assert_eq!(words("ArrivalParams"), ["closed-loop"]);
    }
}
