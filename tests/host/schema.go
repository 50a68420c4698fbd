package main

import (
	"fmt"

	schemapb "pluggableharness/schema/v1"
)

// nonconforming returns where a value is not what its schema says, empty if nowhere: the check that a host
// makes of every tool result.
func nonconforming(schema *schemapb.Schema, value interface{}, at string) string {
	switch schema.Type {
	case schemapb.SchemaType_SCHEMA_TYPE_STRING:
		text, is := value.(string)
		if !is || !oneOf(text, schema.EnumValues) {
			return fmt.Sprintf("%s is %v", at, value)
		}
	case schemapb.SchemaType_SCHEMA_TYPE_NUMBER:
		if _, is := value.(float64); !is {
			return fmt.Sprintf("%s is %v", at, value)
		}
	case schemapb.SchemaType_SCHEMA_TYPE_BOOLEAN:
		if _, is := value.(bool); !is {
			return fmt.Sprintf("%s is %v", at, value)
		}
	case schemapb.SchemaType_SCHEMA_TYPE_ARRAY:
		items, is := value.([]interface{})
		if !is {
			return fmt.Sprintf("%s is %v", at, value)
		}
		for i, item := range items {
			if fault := nonconforming(schema.Items, item, fmt.Sprintf("%s[%d]", at, i)); fault != "" {
				return fault
			}
		}
	case schemapb.SchemaType_SCHEMA_TYPE_OBJECT:
		fields, is := value.(map[string]interface{})
		if !is {
			return fmt.Sprintf("%s is %v", at, value)
		}
		return nonconformingObject(schema, fields, at)
	default:
		return at + " has no type"
	}
	return ""
}

func nonconformingObject(schema *schemapb.Schema, fields map[string]interface{}, at string) string {
	for _, name := range schema.Required {
		if _, there := fields[name]; !there {
			return at + "." + name + " is missing"
		}
	}
	for name, inner := range fields {
		property, declared := schema.Properties[name]
		if !declared {
			return at + "." + name + " is not declared"
		}
		if fault := nonconforming(property, inner, at+"."+name); fault != "" {
			return fault
		}
	}
	return ""
}

func oneOf(text string, choices []string) bool {
	for _, choice := range choices {
		if choice == text {
			return true
		}
	}
	return len(choices) == 0
}
