import { expect, it, vi } from "vitest";
import { Random } from "#test/simulation/random.ts";
import { weatherOver } from "./cloud-weather.ts";

it("throttles, fails before and after the cloud has acted, loses answers and requests, and hangs", async () => {
  vi.useFakeTimers();
  let acted = 0;
  const cloud = async (): Promise<Response> => {
    acted += 1;
    return new Response("ok");
  };
  const told: string[] = [];
  const weather = weatherOver(cloud, new Random(3), (fault) => told.push(fault));
  const seen: Record<string, Set<string>> = {};
  for (let nth = 0; nth < 2_000; nth += 1) {
    const before = { told: told.length, acted };
    const answer = weather.fetch(new Request("http://cloud.invalid/v2/droplets")).then(
      ({ status }) => String(status),
      () => "lost",
    );
    await vi.runAllTimersAsync();
    const outcome = `${await answer} ${acted > before.acted ? "acted" : "not acted"}`;
    const fault = told.length > before.told ? (told.at(-1) ?? "") : "none";
    (seen[fault] ??= new Set()).add(outcome);
  }
  vi.useRealTimers();
  expect(
    Object.fromEntries(Object.entries(seen).map(([fault, outcomes]) => [fault, [...outcomes]])),
  ).toEqual({
    none: ["200 acted"],
    throttled: ["429 not acted"],
    "failed before": ["500 not acted"],
    "failed after": ["500 acted"],
    "answer lost": ["lost acted"],
    "never arrived": ["lost not acted"],
    hung: ["200 acted"],
  });
  weather.clear();
  told.length = 0;
  for (let nth = 0; nth < 200; nth += 1)
    await weather.fetch(new Request("http://cloud.invalid/v2/droplets"));
  expect(told).toEqual([]);
});
