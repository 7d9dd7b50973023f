import type { JSX } from "hono/jsx/jsx-runtime";
import { providerChoices } from "./provider-words.ts";

/** The first step of a new target, because the fields depend on the provider. */
export function ProviderSelect(): JSX.Element {
  return (
    <form class="filters" action="/targets/new" method="get">
      <label>
        Provider
        <select name="provider">
          {providerChoices.map(({ value, words }) => (
            <option value={value}>{words}</option>
          ))}
        </select>
      </label>
      <button class="button" type="submit">
        Go on
      </button>
    </form>
  );
}
