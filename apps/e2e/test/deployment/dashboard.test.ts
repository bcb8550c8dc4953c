import { readFileSync } from "node:fs";
import { parser } from "@prometheus-io/lezer-promql";
import { describe, expect, it } from "vitest";
import { startGatewayProcess } from "../../src/openclaw-process.js";
import { emptyPlace } from "../../src/place.js";

interface Dashboard {
  readonly panels: readonly {
    readonly title: string;
    readonly targets: readonly { readonly expr: string; readonly legendFormat: string }[];
  }[];
}

const targetsOf = (name: string) => {
  const file = new URL(`../../../../deployment/${name}`, import.meta.url);
  const { panels }: Dashboard = JSON.parse(readFileSync(file, "utf8"));
  return panels.flatMap(({ title, targets }) =>
    targets.map(({ expr, legendFormat }) => ({ title, expr, legendFormat })),
  );
};
const ofNodes = targetsOf("grafana-nodes.json");
const targets = [...targetsOf("grafana-dashboard.json"), ...ofNodes];

/** Labels that Prometheus adds to the series of each gateway. */
const LABELS_OF_SCRAPES: readonly string[] = ["instance"];

/** A query as the parser of Prometheus reads it. */
interface Query {
  readonly metrics: readonly string[];
  /** Labels of its grouping. */
  readonly labels: readonly string[];
  /** Places that are not PromQL. */
  readonly errors: readonly string[];
}

function parse(expr: string): Query {
  const text = expr.replaceAll("$__rate_interval", "5m");
  const found = { metrics: [] as string[], labels: [] as string[], errors: [] as string[] };
  parser.parse(text).iterate({
    enter({ type, node, from, to }) {
      const part = text.slice(from, to);
      if (type.isError) found.errors.push(`${text} at ${from}`);
      if (type.name === "Identifier" && node.parent?.name === "VectorSelector") {
        found.metrics.push(part);
      }
      if (type.name === "LabelName") found.labels.push(part);
    },
  });
  return found;
}

/** Returns the labels of each series of a page of metrics, by metric; also of metrics without series. */
function labelsOf(page: string): Map<string, Set<string>> {
  const series = new Map<string, Set<string>>();
  for (const line of page.split("\n")) {
    const [, described, type] = /^# TYPE (\w+) (\w+)$/.exec(line) ?? [];
    const suffixes = type === "histogram" ? ["_bucket", "_sum", "_count"] : [""];
    if (described !== undefined) {
      for (const suffix of suffixes) series.set(`${described}${suffix}`, new Set());
    }
    const [, name = "", labels = ""] = /^(\w+)\{(.*)\} /.exec(line) ?? [];
    for (const [, label = ""] of labels.matchAll(/(\w+)="/g)) series.get(name)?.add(label);
  }
  return series;
}

describe("the dashboards for Grafana", () => {
  it("[SCALE-514] show each node apart", () => {
    for (const { title, expr, legendFormat } of ofNodes.slice(1)) {
      expect(parse(expr).labels, title).toContain("instance");
      expect(legendFormat, title).toBe("{{instance}}");
    }
  });

  it("[GW-071] [SCALE-514] name only metrics and labels that a gateway has", async () => {
    using place = emptyPlace();
    place.writeState({
      "openclaw.json": JSON.stringify({ tools: { approval: { exec: "never", write: "never" } } }),
    });
    place.installPlugin(
      "watcher",
      `export default { id: "watcher", register(api) { api.on("message_received", () => { throw new Error("x"); }); } };`,
    );
    await using gateway = await startGatewayProcess(place);
    const headers = { authorization: `Bearer ${gateway.token}` };
    const answer = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: "POST",
      headers,
      body: JSON.stringify({
        model: "openclaw",
        messages: [{ role: "user", content: "list the files here" }],
      }),
    });
    expect(answer.status).toBe(200);
    const page = await (await fetch(`${gateway.url}/metrics`, { headers })).text();
    const known = labelsOf(page);
    const wrong = targets.flatMap(({ title, expr, legendFormat }) => {
      const { metrics, labels, errors } = parse(expr);
      const shown = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = ""]) => label);
      const unknown = metrics.flatMap((metric) => {
        const has = known.get(metric);
        if (has === undefined) return [metric];
        const all = new Set([...has, ...LABELS_OF_SCRAPES]);
        return has.size === 0 ? [] : labels.filter((label) => !all.has(label));
      });
      const unselected = shown.filter((label) => !labels.includes(label));
      return [...errors, ...unknown, ...unselected].map((problem) => `${title}: ${problem}`);
    });
    expect(wrong).toEqual([]);
    // Metrics with series, so that the labels were compared.
    for (const name of ["turns_total", "tool_calls_total", "tokens_total"]) {
      expect(known.get(`openclaw_${name}`)?.size, name).toBeGreaterThan(0);
    }
    const used = new Set(targets.flatMap(({ expr }) => parse(expr).metrics));
    expect(used.size).toBeGreaterThan(15);
  });

  it("finds queries that are not PromQL", () => {
    expect(parse("sum by (outcome) (rate(x[5m])").errors).not.toEqual([]);
    expect(parse("sum by (outcome) (rate(x_total[$__rate_interval]))")).toEqual({
      metrics: ["x_total"],
      labels: ["outcome"],
      errors: [],
    });
  });
});
