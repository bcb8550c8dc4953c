// Publishes every package whose version its registry does not have yet, with an attestation of where it was
// built if both this machine and the registry can give one. Extra arguments go to `changeset publish`. It sets no tags:
// the tag of the release is there before, and changesets would set one for each package.
// usage: node scripts/publish.mjs [--print]   --print only says how it would publish
import { spawnSync } from "node:child_process";
import { argv, env, exit, stdout } from "node:process";

const PUBLIC_REGISTRY = "https://registry.npmjs.org/";

const registry = env.npm_config_registry ?? PUBLIC_REGISTRY;
// GitHub Actions and GitLab CI prove to the registry who they are by a token for one job.
const canAttest =
  env.ACTIONS_ID_TOKEN_REQUEST_URL !== undefined || env.SIGSTORE_ID_TOKEN !== undefined;
const provenance = canAttest && new URL(registry).href === PUBLIC_REGISTRY;

if (argv.includes("--print")) {
  stdout.write(`${JSON.stringify({ registry, provenance })}\n`);
  exit();
}
const publish = ["exec", "changeset", "publish", "--no-git-tag", ...argv.slice(2)];
const { status } = spawnSync("pnpm", publish, {
  env: { ...env, PNPM_CONFIG_PROVENANCE: String(provenance) },
  stdio: "inherit",
});
exit(status ?? 1);
