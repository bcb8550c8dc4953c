import { defined } from "@openclaw/foundation";
import { secretMethods } from "@openclaw/protocol";
import { MethodRegistry } from "@openclaw/protocol/registry";
import type { SecretVault } from "../secrets/vault.js";

/** Number of uses that a call returns by default. */
const USES = 100;

/** Dependencies of {@link createSecretMethods}. */
export interface SecretMethodDependencies {
  readonly vault: SecretVault;
  /**
   * Called when values were changed, so that the parts of the host that use them get the new ones.
   * @param names - names of the secrets
   */
  secretsChanged?(names: readonly string[]): Promise<void>;
}

/**
 * Creates the methods of stored secrets.
 * @param dependencies - vault, and receiver of changes
 */
export function createSecretMethods({
  vault,
  secretsChanged,
}: SecretMethodDependencies): MethodRegistry<typeof secretMethods> {
  return MethodRegistry.of(secretMethods, {
    "secrets.list": async () => ({ secrets: (await vault.list()).map((each) => defined(each)) }),
    "secrets.uses": async ({ name, limit = USES }) => ({
      uses: (await vault.uses({ name, limit })).map((use) => ({ ...use })),
    }),
    "secrets.set": async ({ name, value, expiresAt }) => {
      const created = await vault.set(name, value, expiresAt);
      await secretsChanged?.([name]);
      return { name, created };
    },
    "secrets.delete": async ({ name }) => {
      await vault.delete(name);
      return { name };
    },
    "secrets.rotate": () => vault.rotate(),
    "secrets.export": async ({ passphrase }, { caller }) => ({
      text: await vault.export(passphrase, caller.id),
    }),
    "secrets.import": async ({ text, passphrase }) => {
      const names = await vault.import(text, passphrase);
      await secretsChanged?.(names);
      return { names: [...names] };
    },
  });
}
