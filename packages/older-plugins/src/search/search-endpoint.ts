import { fetchWithSsrFGuard } from "../sdk/web/ssrf-runtime.js";

/** Request to a provider of web search. */
export interface WebToolsEndpointRequest {
  readonly url: string;
  readonly init?: RequestInit | undefined;
  readonly timeoutSeconds?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Response of a provider of web search. */
export interface WebToolsAnswer {
  readonly response: Response;
  readonly finalUrl: string;
}

/**
 * Sends a request to a public server.
 * @param request - URL, request and limits
 * @param run - reads the response
 * @throws NetworkDeniedError for a server that is not public
 * @deprecated Use `api.runtime.fetch`.
 */
export async function withTrustedWebToolsEndpoint<Result>(
  request: WebToolsEndpointRequest,
  run: (answer: WebToolsAnswer) => Promise<Result>,
): Promise<Result> {
  return await answered(request, false, run);
}

/**
 * Sends a request to a server whose URL the operator configured, also in a private network.
 * @param request - URL, request and limits
 * @param run - reads the response
 * @deprecated Use `api.runtime.fetch`, and let the operator list the host in `tools.http.allowHosts`.
 */
export async function withSelfHostedWebToolsEndpoint<Result>(
  request: WebToolsEndpointRequest,
  run: (answer: WebToolsAnswer) => Promise<Result>,
): Promise<Result> {
  return await answered(request, true, run);
}

/**
 * Sends a request to a public server.
 * @param request - URL, request and limits
 * @param run - reads the response
 * @throws NetworkDeniedError for a server that is not public
 * @deprecated Use `api.runtime.fetch`.
 */
export async function withTrustedWebSearchEndpoint<Result>(
  request: WebToolsEndpointRequest,
  run: (response: Response) => Promise<Result>,
): Promise<Result> {
  return await answered(request, false, ({ response }) => run(response));
}

/**
 * Sends a request to a server whose URL the operator configured, also in a private network.
 * @param request - URL, request and limits
 * @param run - reads the response
 * @deprecated Use `api.runtime.fetch`, and let the operator list the host in `tools.http.allowHosts`.
 */
export async function withSelfHostedWebSearchEndpoint<Result>(
  request: WebToolsEndpointRequest,
  run: (response: Response) => Promise<Result>,
): Promise<Result> {
  return await answered(request, true, ({ response }) => run(response));
}

async function answered<Result>(
  { url, init, timeoutSeconds, signal }: WebToolsEndpointRequest,
  allowPrivateNetwork: boolean,
  run: (answer: WebToolsAnswer) => Promise<Result>,
): Promise<Result> {
  const timeoutMs = timeoutSeconds === undefined ? undefined : timeoutSeconds * 1000;
  const { response, finalUrl, release } = await fetchWithSsrFGuard({
    ...{ url, init, timeoutMs, signal },
    policy: { allowPrivateNetwork },
  });
  try {
    return await run({ response, finalUrl });
  } finally {
    await release();
  }
}
