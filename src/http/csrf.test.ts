import { describe, expect, it } from "vitest";
import { type CsrfHeaders, csrfProblem } from "./csrf.ts";

const own = "https://control.example.com";
const listed = "https://console.example.com";
const trusted = { ownOrigin: own, allowedOrigins: new Set([listed]) };
const problem = (headers: Partial<CsrfHeaders>) =>
  csrfProblem({ proof: "1", fetchSite: undefined, origin: undefined, ...headers }, trusted);

describe("csrfProblem", () => {
  it.each([undefined, "", "0", "true", "11", "1,1", "1, 1", " 1"])(
    "accepts only 1 in the header: %j",
    (proof) => {
      expect(problem({ proof, fetchSite: "same-origin", origin: own })).toBe("no_proof");
    },
  );

  it.each<[string, Partial<CsrfHeaders>]>([
    ["this origin, as the browser says", { fetchSite: "same-origin", origin: own }],
    ["this origin, without an Origin", { fetchSite: "same-origin" }],
    ["this origin, from an old browser", { origin: own }],
    ["a listed origin of the same site", { fetchSite: "same-site", origin: listed }],
    ["a listed origin of another site", { fetchSite: "cross-site", origin: listed }],
    ["a listed origin, from an old browser", { origin: listed }],
  ])("accepts changes from %s", (_, headers) => {
    expect(problem(headers)).toBeUndefined();
  });

  it.each<[string, Partial<CsrfHeaders>]>([
    ["neither header", {}],
    ["another site", { fetchSite: "cross-site", origin: "https://evil.example" }],
    ["another site without an Origin", { fetchSite: "cross-site" }],
    ["a neighbour on the same site", { fetchSite: "same-site", origin: "https://x.example.com" }],
    ["the address bar", { fetchSite: "none" }],
    ["nonsense", { fetchSite: "Same-Origin", origin: own }],
    ["two values", { fetchSite: "same-origin, same-origin", origin: own }],
    ["an opaque origin", { origin: "null" }],
    ["a foreign origin, from an old browser", { origin: "https://evil.example" }],
    ["an origin that starts like this one", { origin: `${own}.evil.example` }],
    ["this host without TLS", { origin: "http://control.example.com" }],
    ["a listed origin with a path", { origin: `${listed}/` }],
  ])("rejects %s", (_, headers) => {
    expect(problem(headers)).toBe("foreign_origin");
  });
});
