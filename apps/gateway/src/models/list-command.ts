import type { GatewayMethodResult } from "@openclaw/protocol";
import { withGatewayMethods } from "../host/methods.js";
import type { CommandContext } from "../shell/context.js";
import { EXIT, type ExitCode } from "../shell/exit-code.js";
import { printRows } from "../shell/table.js";

type KnownModel = GatewayMethodResult<"models.list">["models"][number];
type Price = NonNullable<KnownModel["price"]>;

const UNKNOWN = "unknown";

/**
 * Runs `openclaw models list`: prints the models of the providers with their prices and limits.
 * @param options - `all` includes providers that are not set up
 * @param context - terminal and environment
 */
export async function listModelsCommand(
  { all = false, json = false }: { all?: boolean; json?: boolean },
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal } = context;
  const listed = await withGatewayMethods(context, (call) => call("models.list", {}), "reads");
  if (json) {
    terminal.print(JSON.stringify(listed));
    return EXIT.ok;
  }
  const { providers, models } = listed;
  const shown = providers.filter(({ ready }) => all || ready);
  const isFree = new Set(providers.filter(({ paid }) => !paid).map(({ id }) => id));
  const rows = models
    .filter(({ provider }) => shown.some(({ id }) => id === provider))
    .map((model) => [
      `${model.model}${model.isDefault ? " *" : ""}`,
      ...pricesOf(model, isFree.has(model.provider)),
      tokensOf(model.contextTokens),
      tokensOf(model.maxOutputTokens),
      model.capabilities?.join(", ") ?? UNKNOWN,
    ]);
  printRows(rows, terminal, {
    titles: ["model", "input", "output", "cached", "context", "reply", "also"],
  });
  const { dim } = terminal.colors;
  terminal.print(dim("* default of its provider. Prices in US dollars per million tokens."));
  if (shown.some(({ id }) => id === "demo")) {
    terminal.print(dim("demo/echo is a scripted stand-in, not a language model."));
  }
  for (const { id, ready, setup } of providers) {
    if (!ready && !all) terminal.print(dim(`${id} is not set up: ${setup ?? "see its README"}.`));
  }
  return EXIT.ok;
}

/** A model that costs nothing has that price unless the configuration says otherwise. */
function pricesOf({ price, source }: KnownModel, isFree: boolean): string[] {
  if (isFree && (price === undefined || source !== undefined)) return ["0", "0", "0"];
  if (price === undefined) return [UNKNOWN, UNKNOWN, UNKNOWN];
  return [priceText(price, "input"), priceText(price, "output"), priceText(price, "cacheRead")];
}

function priceText({ above, ...price }: Price, kind: "input" | "output" | "cacheRead"): string {
  const usual = price[kind] ?? price.input;
  const higher = above && (above[kind] ?? above.input);
  return higher === undefined || higher === usual ? usual : `${usual}-${higher}`;
}

function tokensOf(count: number | undefined): string {
  if (count === undefined) return UNKNOWN;
  if (count >= 1_000_000) return `${Math.round(count / 100_000) / 10}M`;
  return count >= 1000 ? `${Math.round(count / 1000)}k` : String(count);
}
