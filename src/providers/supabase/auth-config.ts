/** The properties of a project's authentication, of which there are some 230: written by their patterns. */
import type { ValueShape } from "#providers/provider.ts";
import { aFlag, aNumber, aText, type Field, field, oneOf } from "#providers/rest/fields.ts";

const about = "As the Management API describes it.";

const signInBy =
  "apple azure bitbucket discord facebook figma github gitlab google kakao keycloak linkedin_oidc slack_oidc notion slack spotify twitch twitter x zoom workos";
const otherwiseBy = "anonymous_users email phone web3_solana web3_ethereum";
const hooks =
  "mfa_verification_attempt password_verification_attempt custom_access_token send_sms send_email before_user_created after_user_created";
const changes =
  "password_changed email_changed phone_changed mfa_factor_enrolled mfa_factor_unenrolled identity_linked identity_unlinked";
const mails = "invite confirmation recovery email_change magic_link reauthentication";

const texts =
  "site_url smtp_admin_email smtp_host smtp_port smtp_user smtp_pass smtp_sender_name uri_allow_list saml_external_url security_captcha_secret sessions_tags password_required_characters sms_messagebird_access_key sms_messagebird_originator sms_test_otp sms_test_otp_valid_until sms_textlocal_api_key sms_textlocal_sender sms_twilio_account_sid sms_twilio_auth_token sms_twilio_content_sid sms_twilio_message_service_sid sms_twilio_verify_account_sid sms_twilio_verify_auth_token sms_twilio_verify_message_service_sid sms_vonage_api_key sms_vonage_api_secret sms_vonage_from sms_template external_apple_additional_client_ids external_azure_url external_gitlab_url external_google_additional_client_ids external_keycloak_url external_workos_url mfa_phone_template nimbus_oauth_client_id nimbus_oauth_client_secret oauth_server_authorization_path";
const flags =
  "disable_signup mailer_allow_unverified_email_sign_ins mailer_autoconfirm saml_enabled security_sb_forwarded_for_enabled security_captcha_enabled sessions_single_per_user mailer_secure_email_change_enabled refresh_token_rotation_enabled password_hibp_enabled security_manual_linking_enabled security_update_password_require_reauthentication sms_autoconfirm external_google_skip_nonce_check mfa_totp_enroll_enabled mfa_totp_verify_enabled mfa_web_authn_enroll_enabled mfa_web_authn_verify_enabled mfa_phone_enroll_enabled mfa_phone_verify_enabled oauth_server_enabled oauth_server_allow_dynamic_registration custom_oauth_enabled";
const numbers =
  "jwt_exp smtp_max_frequency mfa_max_enrolled_factors sessions_timebox sessions_inactivity_timeout rate_limit_anonymous_users rate_limit_email_sent rate_limit_sms_sent rate_limit_verify rate_limit_token_refresh rate_limit_otp rate_limit_web3 password_min_length security_refresh_token_reuse_interval mailer_otp_exp mailer_otp_length sms_max_frequency sms_otp_exp sms_otp_length db_max_pool_size api_max_request_duration mfa_phone_max_frequency mfa_phone_otp_length";

/** What the cloud takes no null for. */
export const authNeverNull = ["mailer_otp_exp", "sms_otp_length", "custom_oauth_enabled"];

const each = (names: string, ...patterns: readonly string[]): string[] =>
  names.split(" ").flatMap((name) => patterns.map((pattern) => pattern.replace("*", name)));

export function authFields(): Record<string, Field> {
  const notices = each(changes, "*_notification").join(" ");
  const of = (names: readonly string[], is: ValueShape): [string, Field][] =>
    names.map((name) => [name, field(about, is)]);
  return Object.fromEntries([
    ...of(each(texts, "*"), aText),
    ...of(each(flags, "*"), aFlag),
    ...of(each(numbers, "*"), aNumber),
    ...of(each(signInBy, "external_*_client_id", "external_*_secret"), aText),
    ...of(each(`${signInBy} ${otherwiseBy}`, "external_*_enabled"), aFlag),
    ...of(each(signInBy.replace(" workos", ""), "external_*_email_optional"), aFlag),
    ...of(each(hooks, "hook_*_enabled"), aFlag),
    ...of(each(hooks, "hook_*_uri", "hook_*_secrets"), aText),
    ...of(each(`${mails} ${notices}`, "mailer_subjects_*", "mailer_templates_*_content"), aText),
    ...of(each(changes, "mailer_notifications_*_enabled"), aFlag),
    ...of(["security_captcha_provider"], oneOf("turnstile", "hcaptcha")),
    ...of(["sms_provider"], oneOf("messagebird", "textlocal", "twilio", "twilio_verify", "vonage")),
    ...of(["db_max_pool_size_unit"], oneOf("connections", "percent")),
  ]);
}

/** Those whose values the cloud hides, or shows as a digest. */
export function authSecrets(): string[] {
  const secret = /(_secrets?|_pass|_access_key|_api_key|_auth_token)$/;
  return Object.keys(authFields()).filter((name) => secret.test(name));
}
