import type { JSX } from "hono/jsx/jsx-runtime";
import { isAtLeast } from "#kernel/access/access.ts";
import type { Account } from "./read-account.ts";

/** The form for an API key, for whoever may make one. The account's script shows it and sends it. */
export function KeyForm({ tenants, operator }: Account): JSX.Element {
  const places = tenants
    .filter(({ role }) => operator || isAtLeast(role, "CustomerAdmin"))
    .map(({ tenantId, name }) => ({ value: tenantId, name }));
  if (operator) places.unshift({ value: "", name: "Operators" });
  if (places.length === 0) return <p>Keys are made by administrators and owners of a tenant.</p>;
  return (
    <>
      <p>
        Programs use a key: <code>{"authorization: Bearer <key>"}</code>. It may do what you may do
        there.
      </p>
      <form id="new-key" hidden>
        <div class="fields">
          <label>
            Name
            <input name="name" required maxlength={80} autocomplete="off" placeholder="deployer" />
          </label>
          <label>
            For
            <select name="tenantId">
              {places.map(({ value, name }) => (
                <option value={value}>{name}</option>
              ))}
            </select>
          </label>
          <label>
            Valid for
            <select name="days">
              <option value="30">30 days</option>
              <option value="90" selected>
                90 days
              </option>
              <option value="365">a year</option>
            </select>
          </label>
        </div>
        <button class="button">Make a key</button>
      </form>
      <div class="note" id="made-key" role="status" hidden>
        <p>
          <strong>Copy the key now: it is shown this once.</strong>
        </p>
        <pre></pre>
        <button class="button" type="button" id="copy-key" hidden>
          Copy the key
        </button>
      </div>
    </>
  );
}
