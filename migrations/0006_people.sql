DROP INDEX `users_expected`;--> statement-breakpoint
ALTER TABLE `listings` ADD `submitted_revision` integer;--> statement-breakpoint
ALTER TABLE `listings` ADD `published_revision` integer;--> statement-breakpoint
ALTER TABLE `listings` ADD `resubmitted_at_ms` integer;--> statement-breakpoint
ALTER TABLE `removed_members` ADD `email` text;--> statement-breakpoint
CREATE INDEX `api_keys_of_creator` ON `api_keys` (`creator_user_id`,`id`);--> statement-breakpoint
CREATE INDEX `invitations_of_address` ON `invitations` (`email`);--> statement-breakpoint
-- By hand: what was submitted and published before has numbers too.
UPDATE `listings` SET
  `submitted_revision` = iif(`revision` IS NULL, 1, 2),
  `published_revision` = iif(`published_at_ms` IS NULL, NULL, 1)
WHERE `submitted_at_ms` IS NOT NULL;
--> statement-breakpoint
-- By hand, to the end: who was added by address and never signed in is invited instead, and may accept.
INSERT INTO `invitations` (`id`, `tenant_id`, `email`, `role`, `digest`, `invited_by`, `version`, `expires_at_ms`, `created_at_ms`, `updated_at_ms`)
SELECT m.`id`, m.`tenant_id`, u.`email`, m.`role`, lower(hex(randomblob(32))), 'system:migration', 1,
  (unixepoch() + 604800) * 1000, unixepoch() * 1000, unixepoch() * 1000
FROM `members` m JOIN `users` u ON u.`id` = m.`user_id` WHERE u.`issuer` IS NULL
ON CONFLICT DO NOTHING;
--> statement-breakpoint
DELETE FROM `members` WHERE `user_id` IN (SELECT `id` FROM `users` WHERE `issuer` IS NULL);
--> statement-breakpoint
DELETE FROM `removed_members` WHERE `user_id` IN (SELECT `id` FROM `users` WHERE `issuer` IS NULL);
--> statement-breakpoint
DELETE FROM `users` WHERE `issuer` IS NULL;
--> statement-breakpoint
UPDATE `removed_members` SET `email` = (SELECT u.`email` FROM `users` u WHERE u.`id` = `user_id` AND u.`email_trusted` = 1);
