// SPDX-License-Identifier: MIT
//
// A picture file as the texture of a material. Its bytes pass through untouched.

#include "texture_file.h"

#include <stdio.h>
#include <string.h>

rbl_result read_texture_look(const char *path, const rbl_read_def *def, const char *name,
                             texture_look *look)
{
	*look = (texture_look){ .material = rbl_default_scene_material() };
	rbl_result result = rbl_read_file(path, def, &look->bytes);
	if (result != RBL_OK)
		return result;
	const unsigned char *head = look->bytes.data;
	bool is_png = look->bytes.size >= 8 && memcmp(head, "\x89PNG\r\n\x1a\n", 8) == 0;
	bool is_jpeg = look->bytes.size >= 3 && memcmp(head, "\xff\xd8\xff", 3) == 0;
	if (!is_png && !is_jpeg) {
		char text[1200];
		snprintf(text, sizeof text, "%.1000s: it is neither PNG nor JPEG", path);
		rbl_log_text(RBL_LOG_ERROR, text);
		free_texture_look(look);
		return RBL_BAD_FILE;
	}
	look->image = (rbl_scene_image){ .name = name,
		                             .mime_type = is_png ? "image/png" : "image/jpeg",
		                             .bytes = head,
		                             .size = look->bytes.size };
	look->texture = (rbl_scene_texture){ .name = name, .image = 1 };
	look->material.name = name;
	look->material.metallic = 0.0f, look->material.roughness = 0.9f;
	look->material.base_color_texture.texture = 1;
	return RBL_OK;
}

rbl_scene texture_scene(const texture_look *look)
{
	return (rbl_scene){ .material_count = 1,
		                .materials = &look->material,
		                .texture_count = 1,
		                .textures = &look->texture,
		                .image_count = 1,
		                .images = &look->image };
}

void free_texture_look(texture_look *look)
{
	rbl_free_bytes(&look->bytes);
}
