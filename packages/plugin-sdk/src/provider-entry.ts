export {
  ProviderAddressInvalidError,
  ProviderListFailedError,
  ProviderReplyTooLargeError,
  ProviderSettingInvalidError,
  ProviderSettingMissingError,
} from "./errors.js";
export type { DefinedPlugin } from "./plugin/definition.js";
export {
  defineModelProviderPlugin,
  type ModelProviderPluginDefinition,
  type ProviderHost,
} from "./plugin/model-provider-plugin.js";
export { boundedFetch, type ReplyLimits } from "./providers/bounded-fetch.js";
export type { ProviderCredential } from "./providers/credential.js";
export type {
  DescribedCatalog,
  DescribedCatalogContext,
  DescribedModel,
  DescribedModels,
  DescribedProvider,
} from "./providers/described-provider.js";
export type {
  EmbeddingModel,
  EmbeddingModelResult,
  EmbeddingProvider,
} from "./providers/embedding.js";
export type { LanguageModel } from "./providers/language-model.js";
export { isLocalUrl } from "./providers/local-url.js";
export { defineProvider, type ModelProvider, type ProviderPrices } from "./providers/model.js";
export { listProviderModels, type ModelListRequest } from "./providers/model-list.js";
export type {
  MissingSettingOptions,
  ProviderConfig,
  ProviderProperties,
  ProviderSetting,
  ProviderSettingPath,
  ProviderSettings,
  ProviderVariables,
  UrlSettingOptions,
} from "./providers/settings.js";
