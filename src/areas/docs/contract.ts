import * as z from "zod";
import { endpoint } from "#http/endpoint.ts";
import { prose } from "#platform/prose.ts";

const tag = "Operations";

export const getOpenApiJsonEndpoint = endpoint({
  method: "GET",
  path: "/openapi.json",
  operationId: "getOpenApiJson",
  tag,
  summary: prose("This document, as JSON"),
  access: "public",
  etag: true,
  answer: {
    status: 200,
    description: prose("The OpenAPI 3.1 document."),
    schema: z.record(z.string(), z.json()),
  },
});

export const getOpenApiYamlEndpoint = endpoint({
  method: "GET",
  path: "/openapi.yaml",
  operationId: "getOpenApiYaml",
  tag,
  summary: prose("This document, as YAML"),
  access: "public",
  etag: true,
  answer: {
    status: 200,
    description: prose("The OpenAPI 3.1 document."),
    otherMediaTypes: ["application/yaml"],
  },
});
