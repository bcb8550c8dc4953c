export {
  createAllowFromSection,
  createSetupInputPresenceValidator,
  createSetupTranslator,
  createStandardChannelSetupStatus,
  mergeAllowFromEntries,
  patchScopedAccountConfig,
  promptParsedAllowFromForAccount,
  resolveSetupAccountId,
  setSetupChannelEnabled,
  splitSetupEntries,
} from "./setup.js";
