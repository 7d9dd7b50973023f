import { type Route, route } from "#http/route.ts";
import { getLicenseEndpoint } from "./contract.ts";
import { getLicense } from "./get-license.ts";

export const licenseRoutes: readonly Route[] = [
  route(
    getLicenseEndpoint,
    (call) => getLicense(call),
    ({ view }) => view,
  ),
];
