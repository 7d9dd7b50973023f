ALTER TABLE `listings` ADD `submitted_revision` integer;--> statement-breakpoint
ALTER TABLE `listings` ADD `published_revision` integer;--> statement-breakpoint
ALTER TABLE `listings` ADD `resubmitted_at_ms` integer;--> statement-breakpoint
-- By hand: what was submitted and published before has numbers too.
UPDATE `listings` SET
  `submitted_revision` = iif(`revision` IS NULL, 1, 2),
  `published_revision` = iif(`published_at_ms` IS NULL, NULL, 1)
WHERE `submitted_at_ms` IS NOT NULL;
