import type { Logger } from "@openclaw/plugin-sdk";
import type { RuleSet } from "@openclaw/safety";
import type { Store } from "@openclaw/store";
import type { GatewayOptions } from "../gateway-options.js";
import { MasterKeys } from "../secrets/master-keys.js";
import { SecretRedaction } from "../secrets/redaction.js";
import { ConfigurationSecrets } from "../secrets/references.js";
import { SecretVault } from "../secrets/vault.js";
import { openRawStream } from "../state/raw-stream.js";
import type { HostBase } from "./base.js";

/** Secrets of a host, which its configuration refers to and its log leaves out. */
export interface HostSecrets {
  readonly vault: SecretVault;
  /** Values that must not appear anywhere. */
  readonly redaction: SecretRedaction;
  /** Puts the values of secrets into a configuration. */
  readonly references: ConfigurationSecrets;
}

/**
 * Opens the vault, and makes the log leave out every secret that is used.
 * @param base - state folder and log
 * @param store - stored secrets
 * @param options - environment, and checks of configurations
 */
export function openSecrets(
  { state, log }: Pick<HostBase, "state" | "log">,
  store: Store,
  { environment, configurationChecks: checks }: GatewayOptions,
): HostSecrets {
  const vault = new SecretVault(store, new MasterKeys(state, environment));
  const redaction = new SecretRedaction();
  const references = new ConfigurationSecrets(vault, { checks, environment }, (values) =>
    redaction.add(values),
  );
  log.redactWith(() => redaction.ruleSet);
  return { vault, redaction, references };
}

/**
 * Opens the file that receives the events of model streams, without secrets.
 * @param file - path of the file; undefined opens none
 * @param rules - returns the rules of secrets
 * @param logger - receives problems with the file
 */
export function openModelStreams(
  file: string | undefined,
  rules: () => RuleSet | undefined,
  logger: Logger,
): ReturnType<typeof openRawStream> | undefined {
  return file === undefined ? undefined : openRawStream(file, { rules, logger });
}
