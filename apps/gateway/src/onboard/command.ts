import { defined } from "@openclaw/foundation";
import { readLockHolder, stateFolderAt } from "@openclaw/gateway";
import { installation, stateDirOf } from "../installation.js";
import { installServiceCommand } from "../service/commands.js";
import { usableServiceManager } from "../service/installed.js";
import type { CommandContext } from "../shell/context.js";
import { EXIT, type ExitCode } from "../shell/exit-code.js";
import { UsageError } from "../shell/usage-error.js";
import { type Answers, ProgressFile } from "./answers.js";
import { OnboardingTestError } from "./errors.js";
import { presentSetup } from "./present.js";
import { defaultProvider, type ProviderId, providerOf } from "./provider.js";
import { modelsOf, saveSetup } from "./save.js";
import { keyVariableOf, type NamedServer, readServers, SERVER_FORM, withModel } from "./servers.js";
import { testDatabase, testProvider } from "./tests.js";

/** Options of `onboard`. */
export interface OnboardOptions {
  provider?: ProviderId;
  apiKeyEnv?: string;
  baseUrl?: string;
  server?: string[];
  model?: string;
  database?: string;
  service?: boolean;
  skipTests?: boolean;
  yes?: boolean;
  json?: boolean;
}

/**
 * Runs `openclaw onboard`: has at most five prompts, or none with `--yes` or without a terminal, tests key and
 * database, and saves them (HOST-034).
 * @param options - answers given in advance
 * @param context - terminal and environment
 * @throws UsageError, OnboardingTestError, ConfigurationError
 */
export async function onboardCommand(
  options: OnboardOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal } = context;
  const asks = terminal.isInteractive && options.yes !== true;
  const setup = asks
    ? await askQuestions(options, context)
    : await withoutQuestions(options, context);
  if (setup === undefined) return EXIT.interrupted;
  const { answers, apiKey, notes } = setup;
  await assertDatabaseFree(answers, context);
  await saveSetup(answers, apiKey, context);
  new ProgressFile(stateDirOf(context.environment)).remove();
  const { database, service = false } = answers;
  const [model, ...fallbacks] = modelsOf(answers);
  if (options.json === true) {
    const further = fallbacks.length === 0 ? {} : { fallbacks };
    terminal.print(JSON.stringify({ model, ...further, database, service, notes }));
  } else {
    const then = fallbacks.map((each) => `, then ${each}`).join("");
    const stored = apiKey === undefined ? "" : ", key stored encrypted";
    terminal.print(`Saved: model ${model}${then}${stored}.`);
    for (const note of notes) terminal.note(`openclaw: ${note}`);
  }
  if (service) return installServiceCommand(options.json === true ? { json: true } : {}, context);
  if (options.json !== true) {
    terminal.print(`Next: ${installation.command} run   (or ${installation.command} chat)`);
  }
  return EXIT.ok;
}

/** Answers of a setup, its key, and what the operator should know. */
interface CompleteSetup {
  readonly answers: Answers;
  readonly apiKey: string | undefined;
  readonly notes: readonly string[];
}

/** Shows the prompts; Esc goes back, and at the first one it ends the setup for now. */
async function askQuestions(
  options: OnboardOptions,
  context: CommandContext,
): Promise<CompleteSetup | undefined> {
  const { environment } = context;
  const { cancel, intro, outro } = await import("@clack/prompts");
  const { newSetup, questionsOf } = await import("./questions.js");
  const progress = new ProgressFile(stateDirOf(environment));
  const earlier = progress.read();
  const present = await presentSetup(environment);
  const answers = { ...present.answers, ...earlier?.answers, ...givenAnswers(options) };
  const setup = newSetup(answers, environment);
  const questions = questionsOf({
    environment,
    skipTests: options.skipTests === true,
    hasKey: present.hasKey,
    canInstallService: (await usableServiceManager(environment)) !== undefined,
  });
  intro(
    `OpenClaw ${installation.version}: ${questions.length} prompts, Enter accepts the default, Esc goes back`,
  );
  // A key is not kept, so the setup continues with the question about it at the latest.
  let at = Math.min(earlier?.question ?? 0, 1);
  let step = 1;
  while (at < questions.length) {
    const before = setup.answers;
    const question = questions[at];
    if (question === undefined) break;
    const reply = await question(setup);
    // A question that does not apply, for example the key of the demo model, is left out in both directions.
    const isLeftOut = step < 0 && isUnasked(at, before);
    step = reply === "back" || isLeftOut ? -1 : 1;
    at += step;
    if (at < 0) {
      cancel(`Nothing was saved. Continue with \`${installation.command} onboard\`.`);
      return undefined;
    }
    progress.write({ question: at, answers: setup.answers });
  }
  outro("Thank you.");
  return { answers: setup.answers, apiKey: setup.apiKey, notes: [] };
}

/** Returns true for the prompts about key and model when the provider needs neither. */
function isUnasked(question: number, { provider }: Answers): boolean {
  return (question === 1 || question === 2) && providerOf(provider).plugin === undefined;
}

async function withoutQuestions(
  options: OnboardOptions,
  { environment }: CommandContext,
): Promise<CompleteSetup> {
  const given = givenAnswers(options);
  const present = await presentSetup(environment);
  if (given.servers !== undefined) return namedServers(given, options, environment);
  const provider = given.provider ?? present.answers.provider ?? defaultProvider(environment);
  const kept = provider === present.answers.provider ? present.answers : {};
  const answers: Answers = { ...kept, ...given, provider };
  const { asksURL, variables, label, defaultModel, plugin } = providerOf(provider);
  const apiKey = keyOf(options.apiKeyEnv ?? variables.apiKey, options.apiKeyEnv, environment);
  const keepsKey = apiKey === undefined && present.hasKey(provider);
  if (plugin !== undefined && !asksURL && apiKey === undefined && !keepsKey) {
    throw new UsageError(
      `${label} needs a key: set ${variables.apiKey}, or name a variable with --api-key-env`,
    );
  }
  if (!answers.model && defaultModel === "") {
    throw new UsageError(`name a model of ${label} with --model`);
  }
  const notes: string[] = [];
  if (options.skipTests !== true) {
    const outcome = keepsKey ? undefined : await testProvider(answers, apiKey, environment);
    if (outcome?.kind === "rejected") throw new OnboardingTestError(outcome.problem);
    if (outcome?.kind === "unreachable") notes.push(`not tested: ${outcome.problem}`);
    const { database } = answers;
    const url = database === "sqlite" ? undefined : database;
    const problem = await testDatabase(url, environment);
    if (problem !== undefined) throw new OnboardingTestError(problem);
  }
  return { answers, apiKey, notes };
}

/** Tests each named server, and finds the model of each that does not have the model of the first. */
async function namedServers(
  { servers = [], ...given }: Partial<Answers>,
  options: OnboardOptions,
  environment: NodeJS.ProcessEnv,
): Promise<CompleteSetup> {
  const { model } = given;
  if (!model) throw new UsageError("name a model of the first server with --model");
  const setup = { ...given, provider: "openai-compatible" as const };
  if (options.skipTests === true) {
    return { answers: { ...setup, servers }, apiKey: undefined, notes: [] };
  }
  const notes: string[] = [];
  const tested: NamedServer[] = [];
  for (const server of servers) {
    const key = environment[keyVariableOf(server.name)] || undefined;
    const outcome = await testProvider({ ...setup, baseURL: server.url }, key, environment);
    if (outcome.kind === "rejected") throw new OnboardingTestError(outcome.problem);
    if (outcome.kind === "unreachable") notes.push(`not tested: ${outcome.problem}`);
    tested.push(withModel(server, model, outcome.kind === "works" ? outcome.models : []));
  }
  const { database } = given;
  const problem = await testDatabase(database === "sqlite" ? undefined : database, environment);
  if (problem !== undefined) throw new OnboardingTestError(problem);
  return { answers: { ...setup, servers: tested }, apiKey: undefined, notes };
}

function givenAnswers(options: OnboardOptions): Partial<Answers> {
  const { provider, baseUrl: baseURL, model, database, service, server } = options;
  const servers = server === undefined ? undefined : readServers(server.join(" "));
  if (server !== undefined && servers === undefined) {
    throw new UsageError(`--server takes ${SERVER_FORM}, each name once; got ${server.join(" ")}`);
  }
  if (servers !== undefined && provider !== undefined && provider !== "openai-compatible") {
    throw new UsageError(`--server names servers with the OpenAI API; leave out --provider`);
  }
  return defined({
    ...{ provider: servers === undefined ? provider : ("openai-compatible" as const) },
    ...{ baseURL, servers, model, database, service },
  });
}

function keyOf(
  variable: string | undefined,
  named: string | undefined,
  environment: NodeJS.ProcessEnv,
): string | undefined {
  const key = variable === undefined ? undefined : environment[variable];
  if (named !== undefined && !key) throw new UsageError(`the variable ${named} is not set`);
  return key || undefined;
}

/** The database holds the secrets, so it is not exchanged below a running gateway. */
async function assertDatabaseFree(
  { database }: Answers,
  { environment }: CommandContext,
): Promise<void> {
  if (database === undefined || database === "sqlite") return;
  const holder = await readLockHolder(stateFolderAt(stateDirOf(environment)).lockFile);
  if (holder === undefined) return;
  const stop = `${installation.command} gateway stop`;
  throw new UsageError(
    `the gateway (process ${holder.pid}) uses another database; run \`${stop}\` first`,
  );
}
