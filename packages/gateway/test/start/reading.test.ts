import { loadConfiguration } from "@openclaw/configuration";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { expect, it } from "vitest";
import { openStoredApprovals } from "../../src/methods/stored/approvals.js";
import { openStoredSecrets } from "../../src/methods/stored/secrets.js";
import { startTestGateway } from "../support/gateway.js";

it("[HOST-600] hosts of commands that only read start at once, also while a gateway has the lock", async () => {
  const folder = await temporaryFolder();
  const gateway = await startTestGateway(folder);
  const reading = { isForCommand: true, isReading: true } as const;
  const hosts = await Promise.all([
    startTestGateway(folder, reading),
    startTestGateway(folder, reading),
  ]);
  for (const host of hosts) {
    const methods = await host.methods();
    expect(await methods.call("models.list", {})).toBeDefined();
    expect(await methods.call("policy.explain", { tool: "exec" })).toBeDefined();
  }
  const stateDir = `${folder.path}/state`;
  const configuration = await loadConfiguration(`${folder.path}/openclaw.json`);
  const stored = { stateDir, environment: {}, isReading: true };
  const approvals = await openStoredApprovals({ ...stored, configuration });
  expect(await approvals.methods.call("approvals.list", {})).toMatchObject({ approvals: [] });
  const secrets = await openStoredSecrets({ ...stored, store: configuration.value.store });
  expect(await secrets.methods.call("secrets.list", {})).toMatchObject({ secrets: [] });
  await approvals.close();
  await secrets.close();
  for (const host of hosts) await host.stop("command");
  await gateway.stop("command");
});
