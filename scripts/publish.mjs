// Publishes every package whose version its registry does not have yet, with an attestation of where it was
// built if both this machine and the registry can give one. Extra arguments go to `changeset publish`. It sets no tags:
// the tag of the release is there before, and changesets would set one for each package. The names in the registry are
// those that packages/create-openclaw-plugin/templates/publish-names.json decides.
// To the public registry it publishes only a commit for which every release check has passed with its whole amount.
// usage: node scripts/publish.mjs [--print]   --print only says how it would publish
import { execFileSync, spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { argv, env, exit, stderr, stdout } from "node:process";
import { CHECKS } from "./release-checks/table.mjs";
import { releaseProblems } from "./release-checks/verdict.mjs";
import { publishNames, renamePackages } from "./releasing/published-manifests.mjs";

const PUBLIC_REGISTRY = "https://registry.npmjs.org/";

const root = resolve(import.meta.dirname, "..");
const registry = env.npm_config_registry ?? PUBLIC_REGISTRY;
// GitHub Actions and GitLab CI prove to the registry who they are by a token for one job.
const canAttest =
  env.ACTIONS_ID_TOKEN_REQUEST_URL !== undefined || env.SIGSTORE_ID_TOKEN !== undefined;
const provenance = canAttest && new URL(registry).href === PUBLIC_REGISTRY;

if (argv.includes("--print")) {
  const { scope } = publishNames(root);
  stdout.write(`${JSON.stringify({ registry, provenance, scope })}\n`);
  exit();
}
if (registry.replace(/\/?$/, "/") === PUBLIC_REGISTRY) {
  const folder = env.OPENCLAW_RELEASE_CHECKS ?? resolve(root, ".release-checks");
  const commit = execFileSync("git", ["rev-parse", "HEAD"], { encoding: "utf8" }).trim();
  const problems = releaseProblems(folder, CHECKS, commit);
  if (problems.length > 0) {
    const list = problems.map((problem) => `  ${problem}`).join("\n");
    stderr.write(`The release checks have not passed:\n${list}\nRun \`pnpm release-checks\`.\n`);
    exit(1);
  }
}
const publish = ["exec", "changeset", "publish", "--no-git-tag", ...argv.slice(2)];
const restore = renamePackages(root, publishNames(root));
// An interrupt ends the child, and then this program, which must not leave the other names behind.
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => undefined);
let status;
try {
  ({ status } = spawnSync("pnpm", publish, {
    env: {
      ...env,
      PNPM_CONFIG_PROVENANCE: String(provenance),
      // Under another scope the manifests differ from the lockfile while they are published.
      PNPM_CONFIG_VERIFY_DEPS_BEFORE_RUN: "false",
    },
    stdio: "inherit",
  }));
} finally {
  restore();
}
exit(status ?? 1);
