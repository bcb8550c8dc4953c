export type { LanguageModel } from "./language-model.js";
export { defineProvider, type ModelProvider, type ProviderCredential } from "./model-provider.js";
