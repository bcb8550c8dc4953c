export type { LanguageModel } from "./providers/language-model.js";
export { defineProvider, type ModelProvider, type ProviderCredential } from "./providers/model.js";
