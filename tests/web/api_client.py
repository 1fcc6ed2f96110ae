"""A client made from the API's own description: a method for each operation, each answer held to its schema."""

from urllib.parse import quote, urlencode

from jsonschema import Draft202012Validator


class ApiClient:
    """`client.why(job=12)` asks what the operation `why` describes."""

    def __init__(self, client):
        self.client = client
        self.description = client.get("/api/v1/openapi.json").json()
        for path, methods in self.description["paths"].items():
            for method, operation in methods.items():
                setattr(self, operation["operationId"], self.caller(path, method, operation))

    def caller(self, path, method, operation):
        """Make the method of an operation."""
        kinds = {word["name"]: word["in"] for word in operation["parameters"]}

        def call(body=None, status=200, **words):
            where = path
            for name in [name for name in words if kinds.get(name) == "path"]:
                where = where.replace(f"{{{name}}}", quote(str(words.pop(name)), safe=""))
            query = urlencode({name: words.pop(name) for name in list(words) if kinds.get(name) == "query"})
            content, headers = body, {"Content-Type": "application/octet-stream"}
            if body is None and "requestBody" in operation:
                import json

                content, headers = json.dumps(words).encode(), {"Content-Type": "application/json"}
            answer = self.client.ask(method.upper(), f"{where}?{query}", headers, content=content)
            assert answer.status_code == status, answer.text
            told = answer.json()
            self.check(operation, status, told)
            return told

        return call

    def check(self, operation, status, told):
        """Hold an answer to what the description promises."""
        described = operation["responses"]["200" if status == 200 else "default"]
        schema = described["content"]["application/json"]["schema"]
        whole = {**schema, "components": self.description["components"]}
        Draft202012Validator(whole).validate(told)
