type Config = Readonly<Record<string, unknown>>;
type Entries = readonly (string | number)[];

/** Asks the user during a setup. */
interface Prompter {
  note(message: string, title?: string): Promise<unknown>;
  text(prompt: {
    readonly message: string;
    readonly placeholder?: string;
    readonly initialValue?: string;
    readonly validate?: (value: string) => string | undefined;
  }): Promise<string>;
}

/** Input of a setup. */
type SetupInput = Readonly<Record<string, unknown>>;

/**
 * Creates the function that checks the input of a setup.
 * @param rules - fields that must not be empty, and further checks
 * @deprecated `openclaw channels add` checks the settings of a channel.
 */
export function createSetupInputPresenceValidator(rules: {
  readonly defaultAccountOnlyEnvError?: string;
  readonly whenNotUseEnv?: readonly {
    readonly someOf: readonly string[];
    readonly message: string;
  }[];
  readonly validate?: (given: {
    readonly cfg: Config;
    readonly accountId: string;
    readonly input: SetupInput;
  }) => string | null;
}) {
  const { defaultAccountOnlyEnvError, whenNotUseEnv = [], validate } = rules;
  return (given: {
    readonly cfg: Config;
    readonly accountId: string;
    readonly input: SetupInput;
  }): string | null => {
    const { input, accountId } = given;
    const usesEnvironment = input.useEnv === true;
    if (defaultAccountOnlyEnvError !== undefined && usesEnvironment && accountId !== "default") {
      return defaultAccountOnlyEnvError;
    }
    const missing = usesEnvironment
      ? undefined
      : whenNotUseEnv.find(({ someOf }) => !someOf.some((field) => isGiven(input[field])));
    return missing?.message ?? validate?.(given) ?? null;
  };
}

/**
 * Returns the part of a setup that shows whether a channel is configured.
 * @param options - name of the channel, its labels, and the check
 * @deprecated `openclaw channels list` shows it.
 */
export function createStandardChannelSetupStatus<
  Check extends (place: { readonly cfg: Config; readonly accountId?: string }) => unknown,
>(options: {
  readonly channelLabel: string;
  readonly configuredLabel: string;
  readonly unconfiguredLabel: string;
  readonly includeStatusLine?: boolean;
  readonly resolveConfigured: Check;
  readonly [label: string]: unknown;
}) {
  const { channelLabel, includeStatusLine = false, ...status } = options;
  if (!includeStatusLine) return status;
  return {
    ...status,
    resolveStatusLines: ({ configured }: { readonly configured: boolean }): string[] => [
      `${channelLabel}: ${configured ? options.configuredLabel : options.unconfiguredLabel}`,
    ],
  };
}

/**
 * Returns the part of a setup that asks for senders.
 * @param section - labels, and the functions that read and store an entry
 * @deprecated Write `channels.<channel>.allowFrom` with `openclaw config set`.
 */
export function createAllowFromSection<
  Section extends {
    readonly parseId: (raw: string) => string | null;
    readonly resolveEntries?: (given: { readonly entries: string[] }) => unknown;
  },
>(section: Section) {
  return {
    ...section,
    resolveEntries:
      section.resolveEntries ??
      (async ({ entries }: { readonly entries: readonly string[] }) =>
        entries.map((input) => {
          const id = section.parseId(input);
          return { input, resolved: id !== null, id };
        })),
  };
}

/** Input that names the senders of an account. */
interface AllowFromInput {
  readonly noteTitle?: string;
  readonly noteLines?: readonly string[];
  readonly message: string;
  readonly placeholder: string;
  readonly parseEntries: (raw: string) => { readonly entries: string[]; readonly error?: string };
  readonly getExistingAllowFrom: (place: {
    readonly cfg: Config;
    readonly accountId: string;
  }) => Entries;
  readonly mergeEntries?: (entries: {
    readonly existing: Entries;
    readonly parsed: string[];
  }) => string[];
  readonly applyAllowFrom: (change: {
    readonly cfg: Config;
    readonly accountId: string;
    readonly allowFrom: string[];
  }) => Config | Promise<Config>;
}

/**
 * Asks for the senders of an account and returns the changed configuration.
 * @param options - configuration, account, labels, and the functions that read and store the senders
 * @deprecated Write `channels.<channel>.allowFrom` with `openclaw config set`.
 */
export async function promptParsedAllowFromForAccount(
  options: AllowFromInput & {
    readonly cfg: Config;
    readonly accountId?: string;
    readonly defaultAccountId: string;
    readonly prompter: Prompter;
  },
): Promise<Config> {
  const { cfg, prompter, noteLines = [], noteTitle, message, placeholder, parseEntries } = options;
  const accountId = options.accountId ?? options.defaultAccountId;
  const existing = options.getExistingAllowFrom({ cfg, accountId });
  if (noteLines.length > 0) await prompter.note(noteLines.join("\n"), noteTitle);
  const written = await prompter.text({
    ...{ message, placeholder },
    initialValue: existing.map(String).join(", "),
    validate: (value) => parseEntries(value).error,
  });
  const { entries: parsed, error } = parseEntries(written);
  if (error !== undefined) return cfg;
  const merged = options.mergeEntries?.({ existing, parsed }) ?? parsed;
  const allowFrom = [...new Set(merged)];
  return await options.applyAllowFrom({ cfg, accountId, allowFrom });
}

/**
 * Creates the function that asks for the senders of an account.
 * @param options - labels, and the functions that read and store the senders
 * @deprecated Write `channels.<channel>.allowFrom` with `openclaw config set`.
 */
export function createPromptParsedAllowFromForAccount(
  options: AllowFromInput & { readonly defaultAccountId: string | ((cfg: Config) => string) },
) {
  const { defaultAccountId } = options;
  return (given: {
    readonly cfg: Config;
    readonly prompter: Prompter;
    readonly accountId?: string;
  }): Promise<Config> =>
    promptParsedAllowFromForAccount({
      ...options,
      ...given,
      defaultAccountId:
        typeof defaultAccountId === "string" ? defaultAccountId : defaultAccountId(given.cfg),
    });
}

function isGiven(value: unknown): boolean {
  return typeof value === "string" ? value.trim() !== "" : value !== undefined && value !== null;
}
