import * as z from "zod";
import { endpoint } from "#platform/http/endpoint.ts";

const tag = "Operations";

export const getHealthEndpoint = endpoint({
  method: "GET",
  path: "/health",
  operationId: "getHealth",
  tag,
  summary: "Is the service up?",
  access: "public",
  answer: {
    status: 200,
    description: "It is; the database answers too.",
    schema: z.object({ status: z.literal("ok") }),
  },
  problems: ["unavailable"],
});

export const getOpenApiJsonEndpoint = endpoint({
  method: "GET",
  path: "/openapi.json",
  operationId: "getOpenApiJson",
  tag,
  summary: "This document, as JSON",
  access: "public",
  answer: {
    status: 200,
    description: "The OpenAPI 3.1 document.",
    schema: z.record(z.string(), z.json()),
  },
});

export const getOpenApiYamlEndpoint = endpoint({
  method: "GET",
  path: "/openapi.yaml",
  operationId: "getOpenApiYaml",
  tag,
  summary: "This document, as YAML",
  access: "public",
  answer: {
    status: 200,
    description: "The OpenAPI 3.1 document.",
    otherMediaType: "application/yaml",
  },
});
