/** The programs in the guides. Tests run the JavaScript ones against a server. */

type Code = Readonly<Record<string, string>>;

export const pagingCode = (baseUrl: string): Code => ({
  JavaScript: `const headers = { Authorization: \`Bearer \${process.env.KEY}\` };
const contacts = [];
let after = "";
while (after !== null) {
  const answer = await fetch(\`${baseUrl}/api/v1/contacts?limit=100&after=\${after}\`, { headers });
  if (!answer.ok) throw new Error(await answer.text());
  const { data, pagination } = await answer.json();
  contacts.push(...data);
  after = pagination.nextCursor;
}
console.log(contacts.length);`,
  Python: `import os
import requests

headers = {"Authorization": f"Bearer {os.environ['KEY']}"}
contacts = []
after = ""
while after is not None:
    answer = requests.get(
        "${baseUrl}/api/v1/contacts",
        params={"limit": 100, "after": after},
        headers=headers,
        timeout=60,
    )
    answer.raise_for_status()
    page = answer.json()
    contacts += page["data"]
    after = page["pagination"]["nextCursor"]
print(len(contacts))`,
});

export const retryCode = (baseUrl: string): Code => ({
  JavaScript: `const MAY_PASS = [408, 500, 503];

async function send(message, idempotencyKey) {
  for (let attempt = 0; ; attempt++) {
    const answer = await fetch("${baseUrl}/api/v1/send", {
      method: "POST",
      headers: { Authorization: \`Bearer \${process.env.KEY}\`, "Idempotency-Key": idempotencyKey },
      body: JSON.stringify(message),
    }).catch(() => null);
    const isOver = answer !== null && !MAY_PASS.includes(answer.status);
    if (isOver || attempt === 5) return answer;
    await new Promise((resolve) => setTimeout(resolve, 1000 * 2 ** attempt));
  }
}

const receipt = { to: "ada@example.com", subject: "Your receipt", text: "Thank you." };
const answer = await send(receipt, "receipt-1844");
console.log(answer?.status);`,
  Python: `import os
import time
import requests

MAY_PASS = [408, 500, 503]


def send(message, idempotency_key):
    for attempt in range(6):
        try:
            answer = requests.post(
                "${baseUrl}/api/v1/send",
                headers={
                    "Authorization": f"Bearer {os.environ['KEY']}",
                    "Idempotency-Key": idempotency_key,
                },
                json=message,
                timeout=60,
            )
        except requests.RequestException:
            answer = None
        if answer is not None and answer.status_code not in MAY_PASS:
            return answer
        time.sleep(2**attempt)
    return answer


receipt = {"to": "ada@example.com", "subject": "Your receipt", "text": "Thank you."}
answer = send(receipt, "receipt-1844")
print(answer.status_code if answer is not None else "no answer")`,
});

export const WEBHOOK_CODE: Code = {
  JavaScript: `import { createHmac, timingSafeEqual } from "node:crypto";

/** \`headers\` by lower-case name, \`body\` as it came. */
export function isGenuine(secret, headers, body) {
  const { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures } = headers;
  const isFresh = Math.abs(Date.now() / 1000 - Number(timestamp)) <= 300;
  if (!isFresh || id === undefined || signatures === undefined) return false;
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  const wanted = createHmac("sha256", key).update(\`\${id}.\${timestamp}.\${body}\`).digest();
  return signatures.split(" ").some((signature) => {
    const given = Buffer.from(signature.replace("v1,", ""), "base64");
    return given.length === wanted.length && timingSafeEqual(given, wanted);
  });
}`,
  Python: `import base64
import hashlib
import hmac
import time


def is_genuine(secret: str, headers, body: bytes) -> bool:
    """\`headers\` by lower-case name, \`body\` as it came."""
    try:
        message_id, timestamp = headers["webhook-id"], headers["webhook-timestamp"]
        is_fresh = abs(time.time() - int(timestamp)) <= 300
        signatures = headers["webhook-signature"].split(" ")
    except (KeyError, ValueError):
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{message_id}.{timestamp}.".encode() + body
    wanted = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    return is_fresh and any(hmac.compare_digest(wanted.encode(), given.encode()) for given in signatures)`,
};

export const clientCode = (baseUrl: string): Code => ({
  TypeScript: `// npx openapi-typescript ${baseUrl}/api/v1/openapi.json -o schema.ts
import createClient from "openapi-fetch";
import type { paths } from "./schema.ts";

const api = createClient<paths>({
  baseUrl: "${baseUrl}",
  headers: { Authorization: \`Bearer \${process.env.KEY}\` },
});
const { data, error } = await api.POST("/api/v1/contacts", {
  body: { email: "ada@example.com", status: "PENDING" },
});
console.log(data?.data.id ?? error?.error.message);`,
  Python: `# openapi-python-client generate --url ${baseUrl}/api/v1/openapi.json
import os
from postrider_client import AuthenticatedClient
from postrider_client.api.contacts import create_contact
from postrider_client.models import ContactCreate, ContactStatus

client = AuthenticatedClient(base_url="${baseUrl}", token=os.environ["KEY"])
body = ContactCreate(email="ada@example.com", status=ContactStatus.PENDING)
print(create_contact.sync(client=client, body=body))`,
});
