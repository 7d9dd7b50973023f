/**
 * `/login`: the providers to sign in with, and the reason of the last failure. Links and text only: its policy allows
 * no script. Pure.
 */
import type { JSX } from "hono/jsx/jsx-runtime";
import { htmlPage } from "#http/pages/html-page.ts";
import { signInReasons } from "./oidc/reason.ts";
import { signInStyle } from "./sign-in-style.ts";

export interface LoginPage {
  providers: readonly { label: string; loginUrl: string }[];
  /** The place to return to: as sent, for the next check, and as parsed. */
  returnTo: { sent: string; url: string };
  /** True: the place to return to accepts an invitation. */
  isInvited: boolean;
  /** The error code of the callback, as sent. */
  error: string | undefined;
  /** The person who is signed in already. */
  signedInAs: string | undefined;
}

export function loginPage(shown: LoginPage): Promise<string> {
  const { providers, error, isInvited, signedInAs, returnTo } = shown;
  return htmlPage({
    title: `${error === undefined ? "Sign in" : "Sign-in failed"} · Control API`,
    style: signInStyle,
    body: (
      <>
        <div class="narrow">
          <p class="brand">Control API</p>
          <h1>Sign in</h1>
          {error !== undefined && <Failure code={error} />}
          {isInvited && (
            <p class="note">You are invited to a tenant. Sign in to see it, then accept.</p>
          )}
          {signedInAs !== undefined && (
            <>
              <p>
                You are signed in as <strong>{signedInAs}</strong>.
              </p>
              <p>
                <a class="button main" href={returnTo.url}>
                  Continue
                </a>
              </p>
            </>
          )}
          {providers.length > 0 && <Choices {...shown} />}
          {providers.length === 0 && signedInAs === undefined && <NotSetUp />}
        </div>
        <p class="soft below">
          <a href="/docs">API reference</a>
        </p>
      </>
    ),
  });
}

/** The same text for every unknown code: a link's author chose it. */
function Failure({ code }: { code: string }): JSX.Element {
  const words = Object.hasOwn(signInReasons, code)
    ? signInReasons[code as keyof typeof signInReasons]
    : "Something went wrong on the way. Begin again.";
  return (
    <p class="note bad" role="alert">
      <strong>You could not be signed in.</strong> {words}
    </p>
  );
}

function Choices({ providers, returnTo, signedInAs }: LoginPage): JSX.Element {
  const query = new URLSearchParams({ returnTo: returnTo.sent }).toString();
  // A single provider stands out as the main action; of several, none does.
  const look = providers.length === 1 && signedInAs === undefined ? "button main" : "button";
  return (
    <>
      {signedInAs !== undefined && <p class="or">Or sign in again:</p>}
      <ul class="choices">
        {providers.map(({ label, loginUrl }) => (
          <li>
            <a class={look} href={`${loginUrl}?${query}`}>
              Continue with {label}
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}

function NotSetUp(): JSX.Element {
  return (
    <div class="note">
      <p>
        <strong>Sign-in is not set up here.</strong>
      </p>
      <p>
        The operator of this installation lists the sign-in providers in the variable{" "}
        <code>OIDC_PROVIDERS</code>; its guide, <code>docs/sign-in.md</code>, says how.{" "}
        <a href="/api/v1/health">The service's health</a> names what is wrong with the settings.
        Programs use API keys and do not sign in.
      </p>
    </div>
  );
}
