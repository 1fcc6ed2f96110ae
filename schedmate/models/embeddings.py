"""Turn texts into vectors whose cosine says how alike they are: one interface, three kinds behind it."""

from schedmate.models.embedders.embedder import Embedder
from schedmate.settings import Settings

BUILT_IN = "built-in"


def open_embedder(settings: Settings) -> Embedder:
    """Open the kind that SCHEDMATE_EMBEDDER names; the heavy ones are imported here and not before."""
    which = settings.embedder.strip()
    if which in ("", BUILT_IN):
        from schedmate.models.embedders.built_in import open_built_in

        return open_built_in()
    if which.startswith(("http://", "https://")):
        from schedmate.models.embedders.endpoint import EndpointEmbedder

        key = settings.llm_key.get_secret_value()
        return EndpointEmbedder(which, settings.embedder_model, key, settings.llm_timeout_s, settings.llm_attempts)
    from schedmate.models.embedders.transformer import TransformerEmbedder

    return TransformerEmbedder(which)
