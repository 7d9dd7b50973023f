/**
 * The account page: signs out, accepts and declines invitations, leaves tenants, ends sessions, creates and revokes keys. Each action is an API request with the session cookie and
 * `x-service-csrf`, which other sites cannot send.
 */

const signOut = document.querySelector("#sign-out");
const acts = [...document.querySelectorAll("[data-path]")];
const form = document.querySelector("#new-key");
const made = document.querySelector("#made-key");
const copy = document.querySelector("#copy-key");
const problem = document.querySelector("#problem");

for (const element of [signOut, form, ...acts]) if (element !== null) element.hidden = false;

signOut.addEventListener("click", () => {
  void act(signOut, async () => {
    await ask("DELETE", "/auth/session");
    location.assign("/login");
  });
});

for (const button of acts)
  button.addEventListener("click", () => {
    const { method, path, body, then, confirm: question } = button.dataset;
    if (question !== undefined && !confirm(question)) return;
    void act(button, async () => {
      await ask(method, path, body === undefined ? undefined : JSON.parse(body));
      if (then === "reload") location.assign("/account");
      else {
        button.closest("li").remove();
        signOut.focus();
      }
    });
  });

form?.addEventListener("submit", (event) => {
  event.preventDefault();
  const { name, tenantId, days } = Object.fromEntries(new FormData(form));
  const expiresAt = new Date(Date.now() + Number(days) * 86_400_000).toISOString();
  void act(event.submitter, async () => {
    const { key } = await ask("POST", "/api-keys", {
      name,
      scopes: ["*"],
      expiresAt,
      ...(tenantId === "" ? {} : { tenantId }),
    });
    made.querySelector("pre").textContent =
      `export KEY='${key}'\ncurl -H "authorization: Bearer $KEY" ${location.origin}/api/v1/tenants`;
    made.hidden = false;
    copy.hidden = navigator.clipboard === undefined;
    copy.textContent = "Copy the key";
    copy.onclick = () =>
      void act(copy, async () => {
        await navigator.clipboard.writeText(key).catch(() => {
          throw new Error("The browser did not allow copying. Select the key and copy it.");
        });
        copy.textContent = "Copied";
      });
    form.reset();
  });
});

/** Runs one action with its button disabled and shows any error on the page. */
async function act(button, what) {
  problem.hidden = true;
  button.disabled = true;
  try {
    await what();
  } catch (error) {
    problem.textContent = error.message;
    problem.hidden = false;
  } finally {
    button.disabled = false;
  }
}

async function ask(method, path, body) {
  const response = await fetch(`/api/v1${path}`, {
    method,
    headers: {
      "x-service-csrf": "1",
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch(() => {
    throw new Error("The service is not responding. Try again later.");
  });
  if (response.status === 401) location.assign("/login?returnTo=/account");
  // A proxy may answer with something other than JSON.
  const answer = response.status === 204 ? undefined : await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(answer.detail ?? "The request failed. Try again later.");
  return answer;
}
