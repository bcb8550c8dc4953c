import { confirm, isCancel, log, password, select, spinner, text } from "@clack/prompts";
import type { Answers } from "./answers.js";
import { defaultProvider, PROVIDER_IDS, type ProviderId, providerOf } from "./provider.js";
import { urlOf } from "./server-url.js";
import { keyVariableOf, readServers, SERVER_FORM, withModel } from "./servers.js";
import { type TestOutcome, testDatabase, testProvider } from "./tests.js";

/** Direction in which a setup continues. */
type Reply = "next" | "back";

/** Setup in progress. */
export interface Setup {
  answers: Answers;
  /** Key that was typed or found in the environment; never written to a file in clear text. */
  apiKey: string | undefined;
  /** Models that the provider listed. */
  models: readonly string[];
  /** Models that each named server listed. */
  listed: readonly (readonly string[])[];
}

/** Prompt of a setup. It changes the setup, or returns `back`. */
export type Question = (setup: Setup) => Promise<Reply>;

/** Options of {@link questionsOf}. */
export interface QuestionOptions {
  readonly environment: NodeJS.ProcessEnv;
  readonly skipTests: boolean;
  /** Returns true if the configuration has a key of a provider, which Enter keeps. */
  hasKey(provider: ProviderId): boolean;
  /** True when this user can install a service; otherwise that prompt is left out. */
  readonly canInstallService: boolean;
}

/**
 * Returns the prompts of a setup, at most five (HOST-034).
 * @param options - environment, and prompts to leave out
 */
export function questionsOf(options: QuestionOptions): readonly Question[] {
  const { environment, skipTests, canInstallService } = options;
  return [
    (setup) => askProvider(setup, environment),
    (setup) => askAccess(setup, options),
    (setup) => askModel(setup, environment),
    (setup) => askDatabase(setup, environment, skipTests),
    ...(canInstallService ? [askService] : []),
  ];
}

async function askProvider(setup: Setup, environment: NodeJS.ProcessEnv): Promise<Reply> {
  const provider = await select<ProviderId>({
    message: "Which model provider?",
    initialValue: setup.answers.provider,
    options: PROVIDER_IDS.map((value) => {
      const { label, variables } = providerOf(value);
      const { apiKey = "" } = variables;
      return environment[apiKey] ? { value, label, hint: `${apiKey} is set` } : { value, label };
    }),
  });
  if (isCancel(provider)) return "back";
  if (provider !== setup.answers.provider) {
    setup.apiKey = undefined;
    setup.models = [];
    setup.answers = { ...setup.answers, provider, ...NONE };
  }
  return "next";
}

/** Answers that a change of the provider takes back. */
const NONE = { baseURL: undefined, servers: undefined, model: undefined } as const;

/** Asks for the key, or for the URL of the operator's own server, and tests it. */
async function askAccess(setup: Setup, options: QuestionOptions): Promise<Reply> {
  const { environment, skipTests, hasKey } = options;
  const { asksURL, plugin, variables, label } = providerOf(setup.answers.provider);
  if (plugin === undefined) return "next";
  for (;;) {
    const isKept = hasKey(setup.answers.provider);
    const reply = asksURL
      ? await askURL(setup, environment)
      : await askKey(setup, environment, isKept);
    if (reply === "back") return "back";
    if (!asksURL && setup.apiKey === undefined && isKept) return "next";
    if (!asksURL && setup.apiKey === undefined) {
      setup.answers = { ...setup.answers, provider: "demo", model: undefined };
      log.warn(
        `Without a key for ${label} the demo model is used. Run this setup again to set one.`,
      );
      return "next";
    }
    const fromVariable = variables.apiKey === undefined ? undefined : environment[variables.apiKey];
    const { servers } = setup.answers;
    if (asksURL && fromVariable && servers === undefined) setup.apiKey = fromVariable;
    if (skipTests) return "next";
    const outcome =
      servers === undefined
        ? await tested(setup, environment)
        : await testedServers(setup, environment);
    if (outcome !== "rejected") return "next";
    setup.apiKey = undefined;
  }
}

async function askURL(setup: Setup, environment: NodeJS.ProcessEnv): Promise<Reply> {
  const { servers: earlier, provider } = setup.answers;
  const named = earlier?.map(({ name, url }) => `${name}=${url}`).join(" ");
  const preset = named ?? urlOf(setup.answers, environment);
  const mayName = provider === "openai-compatible";
  const url = await text({
    message: mayName
      ? "URL of the server? (or two as name=URL name=URL: the second takes over when the first fails)"
      : "URL of the server?",
    placeholder: preset,
    defaultValue: preset,
    validate: (value) => {
      if (!value || URL.canParse(value) || (mayName && readServers(value) !== undefined)) {
        return undefined;
      }
      return mayName
        ? `Expected a URL, or servers as ${SERVER_FORM}, each name once.`
        : "Expected a URL, for example http://localhost:11434.";
    },
  });
  if (isCancel(url)) return "back";
  const servers = mayName ? readServers(url) : undefined;
  setup.answers = { ...setup.answers, servers, baseURL: servers === undefined ? url : undefined };
  return "next";
}

async function askKey(
  setup: Setup,
  environment: NodeJS.ProcessEnv,
  isKept: boolean,
): Promise<Reply> {
  const { label, variables } = providerOf(setup.answers.provider);
  const { apiKey: variable = "" } = variables;
  const present = environment[variable];
  const none = isKept ? "Enter: keep the stored one" : "Enter: none yet, use the demo model";
  const enter = present ? `Enter: the one in ${variable}` : none;
  const key = await password({ message: `API key for ${label}? (${enter})` });
  if (isCancel(key)) return "back";
  setup.apiKey = key || present || undefined;
  return "next";
}

/** Tests each server; the models to choose from are those of the first. */
async function testedServers(
  setup: Setup,
  environment: NodeJS.ProcessEnv,
): Promise<TestOutcome["kind"]> {
  const { servers = [] } = setup.answers;
  const outcomes: TestOutcome["kind"][] = [];
  const models: (readonly string[])[] = [];
  for (const { name, url } of servers) {
    const apiKey = environment[keyVariableOf(name)] || undefined;
    const answers = { ...setup.answers, baseURL: url };
    const one: Setup = { answers, apiKey, models: [], listed: [] };
    outcomes.push(await tested(one, environment));
    models.push(one.models);
  }
  setup.models = models[0] ?? [];
  setup.listed = models;
  return outcomes.includes("rejected") ? "rejected" : "works";
}

async function tested(setup: Setup, environment: NodeJS.ProcessEnv): Promise<TestOutcome["kind"]> {
  const progress = spinner();
  progress.start("Testing it");
  const outcome = await testProvider(setup.answers, setup.apiKey, environment);
  if (outcome.kind === "works") {
    setup.models = outcome.models;
    progress.stop("It works.");
  } else if (outcome.kind === "unreachable") {
    progress.stop(`Not tested: ${outcome.problem}.`);
  } else {
    progress.error(`${outcome.problem}. Correct it, or press Esc to go back.`);
  }
  return outcome.kind;
}

async function askModel(setup: Setup, environment: NodeJS.ProcessEnv): Promise<Reply> {
  const { answers, models } = setup;
  const { defaultModel, plugin, variables } = providerOf(answers.provider);
  if (plugin === undefined) return "next";
  const fromVariable = variables.model === undefined ? undefined : environment[variables.model];
  const usual = fromVariable || defaultModel;
  const known = models.length === 0 || models.includes(usual) ? usual : (models[0] ?? usual);
  const preset = answers.model ?? known;
  const model = await text({
    message: models.length > 1 ? `Which model? (${models.length} available)` : "Which model?",
    placeholder: preset,
    defaultValue: preset,
    validate: (value) => {
      if (!value) return preset === "" ? "Expected the name of a model." : undefined;
      const isKnown = models.length === 0 || models.includes(value);
      return isKnown ? undefined : `The provider does not list ${value}.`;
    },
  });
  if (isCancel(model)) return "back";
  const servers = answers.servers?.map((server, index) =>
    withModel(server, model, setup.listed[index] ?? []),
  );
  setup.answers = { ...setup.answers, servers, model };
  return "next";
}

async function askDatabase(
  setup: Setup,
  environment: NodeJS.ProcessEnv,
  skipTests: boolean,
): Promise<Reply> {
  for (;;) {
    const preset = setup.answers.database ?? "sqlite";
    const database = await text({
      message: "Database? (sqlite, postgres://user@host/name, or libsql://host)",
      placeholder: preset,
      defaultValue: preset,
      validate: (value) =>
        !value || value === "sqlite" || /^(?:postgres(?:ql)?|libsql|file):/.test(value)
          ? undefined
          : "Expected sqlite, file:<path>, libsql://<host> or postgres://<user>@<host>/<name>.",
    });
    if (isCancel(database)) return "back";
    setup.answers = { ...setup.answers, database };
    if (skipTests || database === "sqlite") return "next";
    const problem = await testDatabase(database, environment);
    if (problem === undefined) return "next";
    log.error(`${problem}. Correct it, or press Esc to go back.`);
    setup.answers = { ...setup.answers, database: undefined };
  }
}

async function askService(setup: Setup): Promise<Reply> {
  const service = await confirm({
    message: "Run the gateway in the background, from every login on?",
    initialValue: setup.answers.service ?? false,
  });
  if (isCancel(service)) return "back";
  setup.answers = { ...setup.answers, service };
  return "next";
}

/**
 * Returns the setup at its first prompt.
 * @param answers - answers of an interrupted setup
 * @param environment - environment variables of the command
 */
export function newSetup(answers: Partial<Answers>, environment: NodeJS.ProcessEnv): Setup {
  const provider = answers.provider ?? defaultProvider(environment);
  return { answers: { ...answers, provider }, apiKey: undefined, models: [], listed: [] };
}
