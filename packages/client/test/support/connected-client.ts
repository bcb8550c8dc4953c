import { createManualClock, type ManualClock } from "@openclaw/foundation";
import { onTestFinished } from "vitest";
import {
  type ConnectionState,
  connectGateway,
  type GatewayConnection,
  type GatewayConnectionOptions,
} from "../../src/index.js";
import { TOKEN } from "./fake-gateway.js";

/** Client of a test, whose time the test moves. */
export interface TestClient {
  readonly connection: GatewayConnection;
  readonly clock: ManualClock;
  /** States since the start. */
  readonly states: ConnectionState[];
  /** Waits until the state satisfies a condition. */
  stateIs(holds: (state: ConnectionState) => boolean): Promise<ConnectionState>;
}

/**
 * Connects to a gateway until the end of the test. Attempts follow each other without waiting, unless the test moves
 * the time itself.
 * @param url - URL of the gateway
 * @param options - options of the connection, and whether the test moves the time
 */
export function connectTestClient(
  url: string,
  { waits = false, ...options }: Partial<GatewayConnectionOptions> & { waits?: boolean } = {},
): TestClient {
  const clock = createManualClock();
  const states: ConnectionState[] = [];
  const connection = connectGateway({
    url,
    token: TOKEN,
    client: { id: "test", version: "1.0.0", mode: "automation" },
    timers: clock,
    random: () => 0.5,
    ...options,
  });
  connection.onState((state) => {
    states.push(state);
    if (!waits && state.status === "reconnecting") {
      queueMicrotask(() => clock.advance(state.delayMs));
    }
  });
  onTestFinished(() => connection.close());
  return {
    connection,
    clock,
    states,
    stateIs: (holds) =>
      new Promise((resolve) => {
        if (holds(connection.state)) return resolve(connection.state);
        const remove = connection.onState((state) => {
          if (!holds(state)) return;
          remove();
          resolve(state);
        });
      }),
  };
}
