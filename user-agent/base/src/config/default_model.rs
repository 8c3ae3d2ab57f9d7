//! `default_model`: who is asked first.

use models::ModelsConfig;
use shared_types::settings::Section;
use shared_types::text::cut;

const KEY: &str = "default_model";

/// Puts the provider that `default_model` names before all others, and its model in the place of the usual one.
pub(super) fn apply(top: &mut Section, models: &mut ModelsConfig) {
    let Some(named) = top.text(KEY) else { return };
    let (name, model) =
        named.split_once('/').map_or((named.as_str(), None), |(name, model)| (name, Some(model)));
    let Some(place) = models.providers.iter().position(|provider| provider.name == name) else {
        let known: Vec<&str> = models.providers.iter().map(|provider| provider.name.as_str()).collect();
        top.fault(KEY, format!("`{}` is not a provider; configured: {}", cut(name, 80), known.join(" ")));
        return;
    };
    let mut provider = models.providers.remove(place);
    if let Some(model) = model {
        let known: Vec<String> = provider.model.iter().chain(&provider.models).cloned().collect();
        if known.iter().any(|known| known == model) {
            provider.model = Some(model.to_owned());
            provider.models = known;
        } else {
            let why = format!(
                "`{name}` is not configured for the model `{}`; configured: {}",
                cut(model, 80),
                known.join(" ")
            );
            top.fault(KEY, why);
        }
    }
    models.providers.insert(0, provider);
}
