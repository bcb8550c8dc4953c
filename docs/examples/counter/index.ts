import type { OpenClawPluginApi } from "openclaw/plugin-sdk/plugin-entry";

export default {
  id: "counter",
  register(api: OpenClawPluginApi) {
    let count = 0;
    api.registerGatewayMethod(
      "counter.add",
      ({ params, respond }) => {
        const { amount = 1 } = params;
        if (typeof amount !== "number") {
          const message = "amount must be a number";
          return respond(false, undefined, { code: "INVALID_REQUEST", message });
        }
        count += amount;
        api.gatewayEvents.emit("changed", { count });
        return { count };
      },
      { scope: "operator.write" },
    );
    api.registerHttpRoute({
      path: "/count",
      auth: "gateway",
      methods: ["GET"],
      fetch: () => Response.json({ count }),
    });
    api.registerPanel({
      id: "board",
      title: "Count",
      folder: "panel",
      methods: ["counter.add"],
      events: ["changed"],
    });
  },
};
