import { describe, expect, it } from "vitest";
import { readProviderEndpoints } from "./provider-endpoints.ts";

const of = (setting: string | undefined, provider: string) => {
  const read = readProviderEndpoints(setting);
  return read.ok ? read.of(provider) : read.problem;
};

describe("PROVIDER_ENDPOINTS", () => {
  it.for([undefined, "", "{}"])("redirects nothing when it is %j", (setting) => {
    expect(of(setting, "gcp")).toEqual({});
  });

  it("redirects all of a provider by a URL, and its hosts by name", () => {
    const setting =
      '{"mock":"http://m.example","gcp":{"":"http://g.example","compute":"http://c.example"}}';
    expect(of(setting, "mock")).toEqual({ endpoint: "http://m.example" });
    expect(of(setting, "gcp")).toEqual({
      endpoint: "http://g.example",
      endpoints: { compute: "http://c.example" },
    });
    expect(of(setting, "aws")).toEqual({});
  });

  it("keeps the base URL where hosts alone are named", () => {
    expect(of('{"gcp":{"compute":"http://c.example"}}', "gcp")).toEqual({
      endpoints: { compute: "http://c.example" },
    });
  });

  it.for([
    ["{", "must be a JSON object of URLs"],
    ["[]", "must be a JSON object of URLs"],
    ['{"digitalocaen":"http://d.example"}', '"digitalocaen", which is no provider'],
    ['{"constructor":"http://d.example"}', '"constructor", which is no provider'],
    ['{"gcp":7}', "that of gcp is neither"],
    ['{"gcp":"gcp.example"}', "that of gcp is neither"],
    ['{"gcp":"file:///etc"}', "that of gcp is neither"],
    ['{"gcp":{"compute":"c.example"}}', "that of gcp is neither"],
    ['{"gcp":{"compute":{"":"http://c.example"}}}', "that of gcp is neither"],
  ] as const)("lets no provider be called with a mistake in it: %s", ([setting, problem]) => {
    expect(of(setting, "gcp")).toContain(problem);
    expect(of(setting, "gcp")).toContain("no provider can be called");
  });
});
