import type { GatewayMethodResult } from "@openclaw/protocol";
import { withGatewayMethods } from "../host/methods.js";
import type { CommandContext } from "../shell/context.js";
import { EXIT, type ExitCode } from "../shell/exit-code.js";
import { type Field, printFields } from "../shell/fields.js";
import { timeOf } from "../shell/table.js";

type ModelStatus = GatewayMethodResult<"models.status">;

/** Share of a budget from which it is marked, as the log warns. */
const WARNING_PERCENT = 80;

/**
 * Runs `openclaw models status`: prints the model in use, the reason of its choice, and the budgets.
 * @param options - format
 * @param context - terminal and environment
 */
export async function modelStatusCommand(
  { json = false }: { json?: boolean },
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal } = context;
  const status = await withGatewayMethods(context, (call) => call("models.status", {}), "reads");
  if (json) terminal.print(JSON.stringify(status));
  else printFields(fieldsOf(status), terminal);
  return EXIT.ok;
}

function fieldsOf(status: ModelStatus): Field[] {
  const { model, source, paid, isDemo, agents, budgets, failing, providers } = status;
  const others = agents.filter((agent) => agent.model !== model.model);
  const { price } = model;
  const charged =
    price === undefined
      ? "unknown; budgets count 2.50 and 10 US dollars per million tokens of input and output. Set the price with models.known"
      : `${price.input} input, ${price.output} output, ${price.cacheRead ?? price.input} cached, in US dollars per million tokens`;
  return [
    ["model", `${model.model}${isDemo ? " (a scripted stand-in, not a language model)" : ""}`],
    ["chosen by", source],
    ["price", paid || price !== undefined ? charged : "0"],
    ["price from", model.source === undefined ? undefined : `${model.source} (${model.date})`],
    ...others.map(({ agentId, model: own }): Field => [`agent ${agentId}`, own]),
    ...failing.map(
      ({ model: ref, failures, cooldownUntil, errorCode }): Field => [
        "failing",
        `${ref}: ${failures} ${failures === 1 ? "failure" : "failures"}${errorCode === undefined ? "" : `, last ${errorCode}`}${cooldownUntil === undefined ? "" : `; not called until ${timeOf(cooldownUntil)}`}`,
      ],
    ),
    ...providers
      .filter(({ breaker }) => breaker !== "closed")
      .map(
        ({ provider, breaker, opensInMs }): Field => [
          "provider",
          `${provider}: circuit breaker ${breaker}${opensInMs === undefined ? "" : `, called again in ${Math.ceil(opensInMs / 1000)} s`}`,
        ],
      ),
    ...budgets.map(
      ({ text, percent }): Field => [
        "budget",
        `${text}${percent >= 100 ? ": models are not called" : percent >= WARNING_PERCENT ? ": nearly used up" : ""}`,
      ],
    ),
    [
      "budget",
      budgets.length > 0
        ? undefined
        : "no limit of cost; set models.budget.maxCostPerDayCents or MAX_COST_PER_DAY_CENTS",
    ],
  ];
}
