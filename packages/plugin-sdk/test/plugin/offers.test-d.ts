import { describe, expectTypeOf, it } from "vitest";
import type { OpenClawPluginApi } from "../../src/index.js";

declare const api: OpenClawPluginApi;

describe("what a plugin offers to people and clients", () => {
  it("registerPrompt", () => {
    api.registerPrompt({
      name: "triage",
      description: "Sorts the open tickets.",
      arguments: [{ name: "team", required: true, complete: () => ["core", "web"] }],
      render(values) {
        expectTypeOf(values).toEqualTypeOf<Readonly<Record<string, string>>>();
        return `Sort the tickets of ${values.team}.`;
      },
    });
    // @ts-expect-error a prompt has a text
    api.registerPrompt({ name: "triage", description: "Sorts the open tickets." });
    // @ts-expect-error a description is shown in the list
    api.registerPrompt({ name: "triage", render: () => "Sort the tickets." });
  });

  it("registerResource", () => {
    api.registerResource({
      uri: "acme://tickets/{id}",
      name: "Tickets",
      list: () => [{ uri: "acme://tickets/1", name: "Ticket 1" }],
      read({ variables, signal }) {
        expectTypeOf(signal).toEqualTypeOf<AbortSignal>();
        return { text: `Ticket ${variables.id}`, mimeType: "text/markdown" };
      },
    });
    // @ts-expect-error a resource can be read
    api.registerResource({ uri: "acme://roadmap", name: "Roadmap" });
    // @ts-expect-error content is text or data
    api.registerResource({ uri: "acme://roadmap", name: "Roadmap", read: () => 7 });
  });

  it("registerPanel", () => {
    api.registerPanel({
      ...{ id: "board", title: "Board", folder: "panel" },
      ...{ methods: ["tickets.list"], events: ["changed"] },
    });
    // @ts-expect-error a panel has a folder
    api.registerPanel({ id: "board", title: "Board" });
    // @ts-expect-error methods are names
    api.registerPanel({ id: "board", title: "Board", folder: "panel", methods: [() => 1] });
  });
});
