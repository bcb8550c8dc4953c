export type { GatewayEventOptions, GatewayEvents } from "./http/gateway-events.js";
export type {
  GatewayMethodCall,
  GatewayMethodFailure,
  GatewayMethodHandler,
  GatewayMethodOptions,
  GatewayScope,
} from "./http/gateway-method.js";
export type {
  HttpFetchHandler,
  HttpNodeHandler,
  HttpRoute,
  HttpRouteAuth,
  HttpRouteMatch,
} from "./http/route.js";
