// Executes the instructions of deployment/Dockerfile without a container engine: every RUN in a copy of the checkout, then
// the gateway as the image starts it, with a read-only root, as another user, and its health check; then the same as the
// service of deployment/compose.yaml, with its configuration and a PostgreSQL server in place of the other service. Needs
// bubblewrap on Linux.
//
// usage: node scripts/container-rehearsal.mjs
import { execFileSync, spawn, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { homedir, tmpdir } from "node:os";
import { dirname, join, matchesGlob } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { addService, readCompose, startDatabase } from "./rehearsal/compose-service.mjs";

const root = join(import.meta.dirname, "..");
const { DockerfileParser } = createRequire(join(root, "apps/e2e/package.json"))("dockerfile-ast");
/** User `node` of the base image. */
const USER = 1000;
const READY_MS = 30_000;

/** Variables with which this machine reaches the package registry; an image's build gets them as build arguments. */
const NETWORK = Object.entries(process.env).filter(([name]) =>
  /proxy$|cert|^npm_config_|^ssl_/i.test(name),
);

const scratch = mkdtempSync(join(tmpdir(), "openclaw-container-"));
try {
  const stages = readStages();
  for (const stage of stages) executeStage(stage, stages);
  await runImage(stages.at(-1));
  console.log("the image builds, becomes healthy on a read-only root, replies, and stops");
  await runService(stages.at(-1));
  console.log("the service of the compose file keeps its conversations in PostgreSQL");
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

/** Returns the stages of the Dockerfile: their names, root folders and instructions. */
function readStages() {
  const text = readFileSync(join(root, "deployment/Dockerfile"), "utf8");
  const lines = text.split("\n");
  const stages = [];
  for (const each of DockerfileParser.parse(text).getInstructions()) {
    // With the flags, which the arguments of the parser leave out.
    const { start, end } = each.getRange();
    const written = lines.slice(start.line, end.line + 1).join("\n");
    const words = written.replaceAll(/\\\n\s*/g, " ").replace(/^\w+ /, "");
    const keyword = each.getKeyword();
    if (keyword === "FROM") {
      const name = / AS (\S+)$/.exec(words)?.[1] ?? "image";
      stages.push({ name, folder: newRoot(name), instructions: [], env: {}, workdir: "/" });
    } else stages.at(-1)?.instructions.push({ keyword, words });
  }
  return stages;
}

/** Creates the root folder of a stage, with what its base image has. */
function newRoot(name) {
  const folder = join(scratch, name);
  for (const path of ["etc", "tmp", "usr/local/bin", "root"])
    mkdirSync(join(folder, path), { recursive: true });
  writeFileSync(join(folder, "etc/passwd"), `node:x:${USER}:${USER}::/data:/bin/sh\n`);
  writeFileSync(join(folder, "etc/group"), `node:x:${USER}:\n`);
  writeFileSync(join(folder, "etc/hosts"), "127.0.0.1 localhost\n");
  for (const path of ["/etc/resolv.conf", "/etc/ssl", "/etc/ca-certificates", "/etc/npmrc"]) {
    if (existsSync(path)) cpSync(path, join(folder, path), { recursive: true, dereference: true });
  }
  for (const [link, target] of [
    ["bin", "usr/bin"],
    ["lib", "usr/lib"],
    ["lib64", "usr/lib64"],
  ]) {
    symlinkSync(target, join(folder, link));
  }
  return folder;
}

function executeStage(stage, stages) {
  for (const { keyword, words } of stage.instructions) {
    switch (keyword) {
      case "ENV":
        for (const [, name, value] of words.matchAll(/(\w+)=(\S+)/g)) stage.env[name] = value;
        break;
      case "WORKDIR":
        stage.workdir = words;
        mkdirSync(join(stage.folder, words), { recursive: true });
        break;
      case "COPY":
        copy(stage, words, stages);
        break;
      case "RUN":
        console.log(`[${stage.name}] RUN ${words}`);
        run(stage, ["sh", "-c", words]);
        break;
      default:
        stage[keyword] = words;
    }
  }
}

function copy(stage, words, stages) {
  const [, from, source, target] = /^(?:--from=(\S+) )?(\S+) (\S+)$/.exec(words) ?? [];
  if (source === undefined) throw new Error(`COPY ${words}: unknown form`);
  const goal = target === "." ? join(stage.folder, stage.workdir) : join(stage.folder, target);
  const origin = from === undefined ? root : stages.find(({ name }) => name === from).folder;
  mkdirSync(dirname(goal), { recursive: true });
  if (source !== ".")
    return cpSync(join(origin, source), goal, { recursive: true, verbatimSymlinks: true });
  for (const file of contextFiles()) {
    mkdirSync(dirname(join(goal, file)), { recursive: true });
    cpSync(join(root, file), join(goal, file), { verbatimSymlinks: true });
  }
}

/** Returns the files of the checkout that the image's build receives. */
function contextFiles() {
  const ignored = readFileSync(join(root, "deployment/Dockerfile.dockerignore"), "utf8")
    .split("\n")
    .filter(Boolean);
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const files = execFileSync("git", args, { cwd: root, encoding: "utf8", maxBuffer: 1e8 });
  return files
    .split("\0")
    .filter((file) => file !== "" && existsSync(join(root, file)))
    .filter(
      (file) => !ignored.some((rule) => matchesGlob(file, `${rule}/**`) || matchesGlob(file, rule)),
    );
}

/** Returns the arguments of bubblewrap for a program in a stage. */
function sandbox({ folder, env, workdir }, { isImage = false } = {}) {
  const node = dirname(process.execPath);
  const path = "/usr/local/bin:/opt/node:/usr/bin:/bin";
  const variables = {
    PATH: path,
    HOME: "/root",
    ...env,
    ...(isImage ? {} : Object.fromEntries(NETWORK)),
  };
  return [
    ...["--unshare-user", "--uid", String(USER), "--gid", String(USER)],
    ...["--die-with-parent", "--clearenv"],
    ...[isImage ? "--ro-bind" : "--bind", folder, "/"],
    ...["--ro-bind", "/usr", "/usr"],
    ...["--bind", join(folder, "usr/local/bin"), "/usr/local/bin"],
    ...["--tmpfs", "/opt", "--ro-bind", node, "/opt/node"],
    ...["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"],
    ...(isImage ? ["--bind", join(folder, "data"), "/data"] : registryAccess()),
    ...Object.entries(variables).flatMap(([name, value]) => ["--setenv", name, value]),
    ...["--chdir", workdir],
  ];
}

/** Returns the arguments that share settings of the registry, and packages that were downloaded before. */
function registryAccess() {
  const certificates = NETWORK.flatMap(([, value]) => (value.startsWith("/") ? [value] : []));
  return [
    ...certificates.flatMap((path) => ["--ro-bind-try", path, path]),
    ...["--bind-try", join(homedir(), ".local/share/pnpm"), "/root/.local/share/pnpm"],
  ];
}

function run(stage, command, options) {
  const { status } = spawnSync("bwrap", [...sandbox(stage, options), ...command], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  if (status !== 0) throw new Error(`${command.join(" ")} ended with ${status}`);
}

/** Runs the image, waits until it is healthy, chats, checks the output of a command, and stops it. */
async function runImage(stage, command = ["version", "--json"], checkOutput = JSON.parse) {
  const parts = (words) => JSON.parse(/\[.*\]/.exec(words)[0]);
  stage.env.OPENCLAW_PORT = "0";
  const start = [...parts(stage.ENTRYPOINT), ...parts(stage.CMD)];
  const gateway = spawn("bwrap", [...sandbox(stage, { isImage: true }), ...start], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  gateway.stdout.setEncoding("utf8").on("data", (text) => {
    output += text;
  });
  const ended = new Promise((resolve) => gateway.once("exit", resolve));
  try {
    await becomeHealthy(stage, parts(stage.HEALTHCHECK), gateway);
    const probe = spawnSync("bwrap", [
      ...sandbox(stage, { isImage: true }),
      "sh",
      "-c",
      "touch /app/x || touch /etc/x || touch /x",
    ]);
    if (probe.status === 0) throw new Error("the root of the image can be written");
    run(stage, [...parts(stage.ENTRYPOINT), "chat", "-m", "what time is it"], { isImage: true });
    const asked = [...sandbox(stage, { isImage: true }), ...parts(stage.ENTRYPOINT), ...command];
    checkOutput(execFileSync("bwrap", asked, { encoding: "utf8" }));
    run(stage, [...parts(stage.ENTRYPOINT), "gateway", "stop"], { isImage: true });
  } finally {
    if (gateway.exitCode === null) gateway.kill("SIGKILL");
    await ended;
  }
  const lines = output
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
  if (!lines.some(({ msg }) => /is ready$/.test(msg)))
    throw new Error("the log is not on standard output");
}

/** Runs the service of the compose file twice: the second time with an empty state folder, and the same database. */
async function runService(stage) {
  const compose = readCompose(root, { POSTGRES_PASSWORD: "rehearsal" });
  const database = await startDatabase(root, compose);
  try {
    Object.assign(stage.env, addService(root, compose, stage.folder, database.port));
    const counts = [];
    for (let runs = 0; runs < 2; runs += 1) {
      rmSync(join(stage.folder, "data"), { recursive: true });
      mkdirSync(join(stage.folder, "data/workspace"), { recursive: true });
      await runImage(stage, ["sessions", "list", "--json"], (text) => {
        counts.push(JSON.parse(text).sessions[0]?.messageCount ?? 0);
      });
    }
    const [first, second] = counts;
    if (first === 0 || second !== 2 * first) {
      throw new Error(`the conversation had ${first} messages, and then ${second} in all`);
    }
  } finally {
    await database.stop();
  }
}

async function becomeHealthy(stage, check, gateway) {
  const until = Date.now() + READY_MS;
  for (;;) {
    const { status } = spawnSync("bwrap", [...sandbox(stage, { isImage: true }), ...check], {
      encoding: "utf8",
    });
    if (status === 0) return;
    if (gateway.exitCode !== null) throw new Error(`the gateway ended with ${gateway.exitCode}`);
    if (Date.now() > until)
      throw new Error(`not healthy within ${READY_MS} ms: the check ended with ${status}`);
    await wait(250);
  }
}
