import type { JSX } from "hono/jsx/jsx-runtime";
import { MethodAndPath } from "#areas/docs/parts/method-and-path.tsx";
import { TextWithCode } from "#areas/docs/parts/text-with-code.tsx";
import type { SearchEntry } from "./search-entry.ts";

const kinds: Record<SearchEntry["kind"], string> = {
  endpoint: "Endpoint",
  event: "Event",
  error: "Error code",
  topic: "Topic",
};

/** `found`: best first. */
export function SearchSection(shown: {
  query: string;
  found: readonly SearchEntry[];
}): JSX.Element {
  const { query, found } = shown;
  const count = found.length === 0 ? "No" : String(found.length);
  return (
    <section class="area results">
      <h1>Search</h1>
      <output class="found" for="search">
        {query === ""
          ? "Type a word in the field above."
          : `${count} ${found.length === 1 ? "result" : "results"} for “${query}”`}
      </output>
      <ol>
        {found.map((entry) => (
          <li>
            <a href={entry.path}>
              <TextWithCode text={entry.title} />
            </a>{" "}
            <span class="says">
              {entry.call === "" ? kinds[entry.kind] : <Call call={entry.call} />}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

function Call({ call }: { call: string }): JSX.Element {
  const [method = "", path = ""] = call.split(" ");
  return <MethodAndPath method={method.toLowerCase()} path={path} />;
}
