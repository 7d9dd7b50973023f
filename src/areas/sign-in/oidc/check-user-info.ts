import type { Claims } from "./check-id-token.ts";
import { type Checked, failed, passed } from "./reason.ts";

/**
 * User information is read with an access token, which does not name its user: the subject must equal the ID token's.
 * OpenID Connect Core 1.0, 5.3.2. Only claims about the person are used.
 */
export function checkUserInfo(answer: unknown, subject: string): Checked<Claims> {
  if (typeof answer !== "object" || answer === null || Array.isArray(answer))
    return failed("user_info_invalid", "not an object");
  const claims = answer as Claims;
  return claims["sub"] === subject ? passed(claims) : failed("user_info_invalid", "sub");
}
