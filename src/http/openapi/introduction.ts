/**
 * The introduction of the document: what holds for every route (docs/contract.md "Response conventions";
 * docs/decisions.md "HTTP", "Pagination"). Markdown.
 */
export const INTRODUCTION = `
Every request under \`/api/v1\` carries an API key: \`Authorization: Bearer pr_…\`. A key belongs to one workspace and sees only its data; what another workspace has answers \`404\`, like what is not there. A key with the scope \`send\` or \`read\` may ask less than all of it: anything else is \`403\`, whatever it names.

People sign in with \`POST /session\` and carry a cookie. They name the workspace in the header \`X-Workspace\`; without it the cookie is ignored, and a key beside it wins. What somebody may ask there depends on their role: \`owner\` everything, \`editor\` everything but people, keys and changes of the settings, \`viewer\` reading, without exports; anything else is \`403\`. \`/session\`, \`/sessions\`, \`/password\`, \`/backups\`, \`/nodes\` and \`/welcome\` belong to no workspace.

A single object comes as \`{ "data": {…} }\`, a list as \`{ "data": […], "pagination": {…} }\`, newest first. To walk a list, pass \`nextCursor\` as \`after\` until it is null. Timestamps are ISO 8601 in UTC. Ids are opaque.

A browser lets a page of another site call the API only where the server's setting \`CORS_ORIGINS\` names that site; forms may be submitted from anywhere, or from where the workspace's setting \`allowedOrigins\` says. Think twice before you put a key into a page: its visitors have it then.

Bodies are JSON, whatever the \`Content-Type\` says, of 4 MiB at most. A body that cannot be read counts as empty, except on \`POST /events\` and \`POST /send\`. JSON that is not in UTF-8 is refused, a form (\`curl -d name=Ada\`) too, and so is a field of the body that stands in the query. \`null\` for an optional field means "not sent", unless the field says otherwise. Fields and parameters that nobody documents are ignored. Those that people know from other services (\`cc\`, \`templateId\`, \`page\`, \`sort\`, \`first_name\` and others) and that would change what happens are \`422\`: \`message\` says what to use instead. \`PATCH /settings\` refuses every name that is no setting.

An error under \`/api/v1\` is \`{ "error": { "code", "message" } }\`. A route that does not exist is \`404 NOT_FOUND\`, a method it does not take \`405 METHOD_NOT_ALLOWED\` with \`Allow\`. A body of which nothing comes for 24 seconds, or that takes more than 120 (a file: six hours), is \`408 REQUEST_TIMEOUT\`. A request with two \`Host\` headers, or with one that can be none, is \`400 BAD_REQUEST\`. A body that is refused is received to its end first. If it is too long, the rest is not read, and the connection is closed behind the answer: beyond 64 MiB, or beyond 16 where its key, route or method is wrong or its length is not said. The same happens when nothing of it comes for two seconds, and when many refused bodies come at once.

Every answer carries an \`X-Request-Id\`. When the server failed (\`5xx\`) its log has the reason under that id. Of refusals (\`4xx\`) the log only counts how many there were of each status; with \`LOG_LEVEL=debug\` it has a line with the id for every request.

Sending real mail cannot be undone. Only SUBSCRIBED contacts get campaigns, and whatever happens nobody is mailed twice.
`.trim();
