export {
  createSetupInputPresenceValidator,
  createStandardChannelSetupStatus,
  formatDocsLink,
  setSetupChannelEnabled,
} from "./setup.js";

/**
 * Returns the description of a setup. This host shows no setup of plugins; `openclaw channels add` writes settings.
 * @param contract - description
 * @deprecated `openclaw channels add` asks for the settings of a channel.
 */
export function defineChannelSetupContract<Contract extends object>(contract: Contract): Contract {
  return contract;
}
