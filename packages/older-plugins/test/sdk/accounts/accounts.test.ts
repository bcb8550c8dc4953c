import { describe, expect, it } from "vitest";
import { createAccountListHelpers } from "../../../src/sdk/accounts/account-helpers.js";
import { resolveAccountWithDefaultFallback } from "../../../src/sdk/accounts/account-resolution.js";
import { createScopedDmSecurityResolver } from "../../../src/sdk/accounts/channel-config-helpers.js";
import { clearAccountEntryFields } from "../../../src/sdk/accounts/channel-plugin-common.js";
import { patchScopedAccountConfig } from "../../../src/sdk/setup/setup.js";

const cfg = {
  channels: {
    lines: {
      host: "a",
      defaultAccount: "work",
      tls: { on: true, port: 1 },
      accounts: { Work: { host: "b", tls: { port: 2 } }, home: {} },
    },
  },
};

describe("accounts of older channel plugins", () => {
  it("[PLUG-151] are listed, and inherit the settings of their channel", () => {
    const accounts = createAccountListHelpers("lines", { nestedObjectKeys: ["tls"] });
    expect(accounts.listAccountIds(cfg)).toEqual(["home", "work"]);
    expect(accounts.resolveDefaultAccountId(cfg)).toBe("work");
    expect(accounts.resolveAccountConfig(cfg, "work")).toEqual({
      host: "b",
      tls: { on: true, port: 2 },
    });
    expect(accounts.listAccountIds({})).toEqual(["default"]);
    const named = createAccountListHelpers("lines", { fallbackAccountIdWhenEmpty: false });
    expect(named.listAccountIds({})).toEqual([]);
  });

  it("[PLUG-151] fall back to the default account, unless one was named", () => {
    const resolve = (accountId?: string) =>
      resolveAccountWithDefaultFallback({
        ...(accountId === undefined ? {} : { accountId }),
        normalizeAccountId: (id) => id ?? "default",
        resolvePrimary: (id) => ({ id, token: id === "work" ? "secret" : "" }),
        hasCredential: ({ token }) => token !== "",
        resolveDefaultAccountId: () => "work",
      }).id;
    expect([resolve(), resolve("home")]).toEqual(["work", "home"]);
  });

  it("[PLUG-151] name the keys of their policy", () => {
    const policyOf = createScopedDmSecurityResolver<{ accountId: string; policy?: string }>({
      channelKey: "lines",
      resolvePolicy: ({ policy }) => policy,
      resolveAllowFrom: () => ["ann"],
      policyPathSuffix: "dmPolicy",
    });
    expect(policyOf({ cfg, account: { accountId: "home" } })).toMatchObject({
      policy: "pairing",
      policyPath: "channels.lines.accounts.home.dmPolicy",
      approveHint: "openclaw pairing approve lines <code>",
    });
    expect(policyOf({ cfg: {}, account: { accountId: "x", policy: "open" } })).toMatchObject({
      policy: "open",
      policyPath: "channels.lines.dmPolicy",
    });
  });

  it("[PLUG-151] are changed in a copy of the configuration", () => {
    const changed = patchScopedAccountConfig({
      cfg,
      channelKey: "lines",
      accountId: "home",
      patch: { host: "c" },
    });
    expect(changed).toMatchObject({
      channels: { lines: { enabled: true, accounts: { home: { enabled: true, host: "c" } } } },
    });
    expect(cfg.channels.lines.accounts.home).toEqual({});
    const cleared = clearAccountEntryFields({
      accounts: { home: { token: "x" }, work: { token: "y", host: "b" } },
      accountId: "home",
      fields: ["token"],
    });
    expect(cleared).toEqual({
      nextAccounts: { work: { token: "y", host: "b" } },
      changed: true,
      cleared: true,
    });
  });
});
