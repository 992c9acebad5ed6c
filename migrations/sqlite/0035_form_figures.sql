-- What became of a form's submissions.
CREATE INDEX confirmations_by_form ON confirmations (form_id);
--> statement-breakpoint
CREATE INDEX consent_log_by_form ON consent_log (form_id) WHERE form_id IS NOT NULL;
