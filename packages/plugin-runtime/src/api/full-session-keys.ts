import { defined } from "@openclaw/foundation";
import type { HostServices } from "@openclaw/plugin-sdk/services";

/**
 * Returns the services of a host as plugins reach them: a short session key such as `main` names the same session in
 * each of them (GW-480).
 * @param services - services of the host, which take full keys
 */
export function withFullSessionKeys(services: HostServices): HostServices {
  const { fullSessionKey: full } = services;
  if (full === undefined) return services;
  const keyed = <Request extends { readonly sessionKey: string }>(request: Request): Request => ({
    ...request,
    sessionKey: full(request.sessionKey),
  });
  const { approvals, jobs, sessionState, memoryTools } = services;
  const { complete, runAgent, invokeTool, sessionMessages, deleteSession } = services;
  const { requestCredential, enqueueInjection } = services;
  return {
    ...services,
    ...defined({
      approvals: approvals && withApprovalKeys(approvals, full),
      jobs: jobs && withJobKeys(jobs, full),
      sessionState: sessionState && withKeys(sessionState, full),
      memoryTools: memoryTools && withMemoryKeys(memoryTools, full),
      complete:
        complete &&
        ((id: string, { sessionKey, ...question }: Parameters<typeof complete>[1]) =>
          complete(id, {
            ...question,
            ...defined({ sessionKey: sessionKey === undefined ? undefined : full(sessionKey) }),
          })),
      runAgent:
        runAgent &&
        ((id: string, turn: Parameters<typeof runAgent>[1]) => runAgent(id, keyed(turn))),
      invokeTool:
        invokeTool &&
        ((id: string, call: Parameters<typeof invokeTool>[1]) => invokeTool(id, keyed(call))),
      sessionMessages:
        sessionMessages &&
        ((id: string, sessionKey: string, limit?: number) =>
          sessionMessages(id, full(sessionKey), limit)),
      deleteSession:
        deleteSession && ((id: string, sessionKey: string) => deleteSession(id, full(sessionKey))),
      requestCredential:
        requestCredential &&
        ((id: string, prompt: Parameters<typeof requestCredential>[1]) =>
          requestCredential(id, keyed(prompt))),
      enqueueInjection:
        enqueueInjection &&
        ((id: string, injection: Parameters<typeof enqueueInjection>[1]) =>
          enqueueInjection(id, keyed(injection))),
    }),
  };
}

type FullKey = NonNullable<HostServices["fullSessionKey"]>;
type Approvals = NonNullable<HostServices["approvals"]>;
type Jobs = NonNullable<HostServices["jobs"]>;
type SessionState = NonNullable<HostServices["sessionState"]>;
type MemoryTools = NonNullable<HostServices["memoryTools"]>;

function withApprovalKeys(approvals: Approvals, full: FullKey): Approvals {
  const { reach } = approvals;
  return {
    ...approvals,
    request: (id, request) =>
      approvals.request(id, { ...request, sessionKey: full(request.sessionKey) }),
    submit: (id, request) =>
      approvals.submit(id, { ...request, sessionKey: full(request.sessionKey) }),
    ...(reach && { reach: (id: string, sessionKey: string) => reach(id, full(sessionKey)) }),
  };
}

function withJobKeys(jobs: Jobs, full: FullKey): Jobs {
  return {
    ...jobs,
    create: (id, { sessionKey: key, ...request }) =>
      jobs.create(id, {
        ...request,
        ...defined({ sessionKey: key === undefined ? undefined : full(key) }),
      }),
  };
}

function withKeys({ get, patch, peek }: SessionState, full: FullKey): SessionState {
  return {
    get: (id, sessionKey, namespace) => get(id, full(sessionKey), namespace),
    patch: (id, sessionKey, namespace, change) => patch(id, full(sessionKey), namespace, change),
    ...(peek && {
      peek: (id: string, sessionKey: string, namespace: string) =>
        peek(id, full(sessionKey), namespace),
    }),
  };
}

function withMemoryKeys({ search, get }: MemoryTools, full: FullKey): MemoryTools {
  const keyed = ({ agentSessionKey: key, ...request }: Parameters<MemoryTools["get"]>[1]) => ({
    ...request,
    ...defined({ agentSessionKey: key === undefined ? undefined : full(key) }),
  });
  return {
    search: (id, request) => search(id, keyed(request)),
    get: (id, request) => get(id, keyed(request)),
  };
}
