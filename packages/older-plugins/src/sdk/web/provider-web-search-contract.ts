export {
  createWebSearchProviderContractFields,
  getScopedCredentialValue,
  getTopLevelCredentialValue,
  mergeScopedSearchConfig,
  resolveProviderWebSearchPluginConfig,
  type SearchConfigRecord,
  type SearchCredential,
  setProviderWebSearchPluginConfigValue,
  setScopedCredentialValue,
  setTopLevelCredentialValue,
  type WebSearchProviderPlugin,
  type WebSearchProviderToolDefinition,
} from "./provider-web-search-config-contract.js";
